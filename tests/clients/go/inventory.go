package main

import (
	"strconv"

	librenms "github.com/jokelyo/go-librenms"
)

// devices adds 127.0.0.3, changes it, finds it again and returns its id.
func devices(client *librenms.Client, port int) int {
	made := must(client.CreateDevice(&librenms.DeviceCreateRequest{
		Hostname: "127.0.0.3", Port: port, SNMPVersion: "v2c", SNMPCommunity: "public", Display: "third",
		PortAssocMode: 2, ForceAdd: true,
	}))
	same("devices made", len(made.Devices), 1)
	id := made.Devices[0].DeviceID
	one := must(client.GetDevice("127.0.0.3"))
	same("count of one device", one.Count, 1)
	same("id", one.Devices[0].DeviceID, id)
	same("community", *one.Devices[0].Community, "public")
	same("port", one.Devices[0].Port, port)
	same("port association", one.Devices[0].PortAssociationMode, 2)
	same("version of SNMP", one.Devices[0].SNMPVersion, "v2c")

	must(client.UpdateDevice("127.0.0.3", &librenms.DeviceUpdateRequest{
		Field: []string{"notes", "ignore", "purpose", "location"}, Data: []any{"seen", 1, nil, "Rack 7"},
	}))
	again := must(client.GetDevice(strconv.Itoa(id))).Devices[0]
	same("notes", *again.Notes, "seen")
	same("ignore", bool(again.Ignore), true)
	same("purpose", again.Purpose, (*string)(nil))
	same("location", *again.Location, "Rack 7")

	all := must(client.GetDevices(nil))
	same("count of all", all.Count, len(all.Devices))
	same("all", len(all.Devices), 3)
	_, err := client.GetDevice("no-such-device")
	absent("unknown device", 0, err)
	return id
}

// groups creates a static group and a dynamic one with nested rules, changes and deletes them.
func groups(client *librenms.Client, device int) {
	fixed := must(client.CreateDeviceGroup(&librenms.DeviceGroupCreateRequest{
		Name: "fixed group", Type: "static", Devices: []int{device},
	}))
	members := must(client.GetDeviceGroupMembers(strconv.Itoa(fixed.ID)))
	same("members of the static group", members.Devices, []librenms.DeviceGroupMember{{ID: device}})
	one := must(client.GetDeviceGroup("fixed group")).Groups
	same("static group found by name", len(one), 1)
	same("its id and type", []any{one[0].ID, one[0].Type, one[0].Description}, []any{fixed.ID, "static", (*string)(nil)})

	leaf := func(value string) librenms.DeviceGroupRule {
		return librenms.DeviceGroupRule{
			ID: "devices.hostname", Field: "devices.hostname", Type: "string", Input: "text", Operator: "equal", Value: value,
		}
	}
	rules := librenms.DeviceGroupRuleContainer{
		Condition: "AND",
		Joins:     [][]string{},
		Rules: []librenms.DeviceGroupRule{
			{Condition: "OR", Rules: []librenms.DeviceGroupRule{leaf("127.0.0.3"), leaf("nobody")}},
		},
		Valid: true,
	}
	moving := must(client.CreateDeviceGroup(&librenms.DeviceGroupCreateRequest{
		Name: "moving group", Type: "dynamic", Rules: text(rules.MustJSON()), Description: text("by rule"),
	}))
	found := must(client.GetDeviceGroup(strconv.Itoa(moving.ID))).Groups
	same("dynamic group found by id", len(found), 1)
	same("nested rules read back", found[0].Rules, rules)
	same("description", *found[0].Description, "by rule")
	members = must(client.GetDeviceGroupMembers(strconv.Itoa(moving.ID)))
	same("members by rule", members.Devices, []librenms.DeviceGroupMember{{ID: device}})

	rules.Rules = []librenms.DeviceGroupRule{leaf("127.0.0.1")}
	must(client.UpdateDeviceGroup(strconv.Itoa(moving.ID), &librenms.DeviceGroupUpdateRequest{
		Name: "renamed", Type: "dynamic", Rules: text(rules.MustJSON()),
	}))
	found = must(client.GetDeviceGroup("renamed")).Groups
	same("renamed group", len(found), 1)
	same("changed rules read back", found[0].Rules, rules)

	must(client.DeleteDeviceGroup(strconv.Itoa(moving.ID)))
	_, err := client.GetDeviceGroupMembers(strconv.Itoa(moving.ID))
	absent("group that was deleted", 0, err)
	same("groups left", len(must(client.GetDeviceGroups()).Groups), 1)
	must(client.DeleteDeviceGroup("fixed%20group"))
	_, err = client.GetDeviceGroups() // there is none
	absent("no groups", 0, err)
}

// locations creates one with seven decimals, changes it and deletes it.
func locations(client *librenms.Client) {
	must(client.CreateLocation(&librenms.LocationCreateRequest{
		Name: "Depot East", FixedCoordinates: true, Latitude: 47.1234567, Longitude: -8.7654321,
	}))
	id := 0
	all := must(client.GetLocations())
	for _, location := range all.Locations {
		if location.Name == "Depot East" {
			id = location.ID
		}
	}
	same("count of locations", all.Count, len(all.Locations))
	one := must(client.GetLocation(id)).Location
	same("coordinates", []float64{float64(one.Latitude), float64(one.Longitude)}, []float64{47.1234567, -8.7654321})
	same("fixed", bool(one.FixedCoordinates), true)
	must(client.UpdateLocation(id, librenms.NewLocationUpdateRequest().
		SetName("Depot West").SetLatitude(46.5).SetLongitude(7.25).SetFixedCoordinates(false)))
	one = must(client.GetLocation(id)).Location
	same("changed location", []any{one.Name, float64(one.Latitude), float64(one.Longitude), bool(one.FixedCoordinates)},
		[]any{"Depot West", 46.5, 7.25, false})
	must(client.DeleteLocation(id))
	_, err := client.GetLocation(id)
	absent("location that was deleted", 0, err)
}
