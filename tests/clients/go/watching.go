package main

import (
	"regexp"
	"strconv"

	librenms "github.com/jokelyo/go-librenms"
)

var idAtEnd = regexp.MustCompile(`\(#(\d+)\)$`)

// services creates one on the device, finds it, changes it and deletes it.
func services(client *librenms.Client, device int) {
	made := must(client.CreateService(strconv.Itoa(device), &librenms.ServiceCreateRequest{
		Name: "web", Type: "http", IP: "127.0.0.3", Description: "its page", Param: "-p 8080",
	}))
	match := idAtEnd.FindStringSubmatch(made.Message)
	same("message ends with the id: "+made.Message, len(match), 2)
	if match == nil {
		return
	}
	id := number(match[1])
	one := must(client.GetService(id)).Services
	same("service found", len(one), 1)
	same("service", []any{one[0].Name, one[0].Type, one[0].IP, one[0].Description, one[0].Param, one[0].DeviceID},
		[]any{"web", "http", "127.0.0.3", "its page", "-p 8080", device})
	must(client.UpdateService(id, librenms.NewServiceUpdateRequest().SetName("page").SetDescription("").SetIgnore(true).
		SetIP("127.0.0.1").SetParam("-p 81").SetType("ping")))
	changed := must(client.GetServicesForHost("127.0.0.3")).Services
	same("services of the device", len(changed), 1)
	same("changed service", []any{changed[0].Name, changed[0].Description, bool(changed[0].Ignore), changed[0].Param},
		[]any{"page", "", true, "-p 81"})
	must(client.DeleteService(id))
	same("services left", len(must(client.GetServices()).Services), 0)
}

// rules creates one for all devices, finds it by name, replaces it and deletes it.
func rules(client *librenms.Client) {
	builder := `{"condition":"AND","rules":[{"id":"devices.status","field":"devices.status","type":"integer",` +
		`"input":"radio","operator":"equal","value":"0"},{"condition":"OR","rules":[{"id":"devices.os",` +
		`"field":"devices.os","type":"string","input":"text","operator":"begins_with","value":"lin"}]}],"valid":true}`
	request := librenms.AlertRuleCreateRequest{
		Builder: builder, Devices: []int{-1}, Name: "down and linux", Severity: "critical", Delay: "11m", Interval: "5m",
		Count: 3, Notes: "call", ProcedureURL: "https://wiki.example/down",
	}
	must(client.CreateAlertRule(&request))
	_, err := client.CreateAlertRule(&request)
	same("a second rule of that name is refused", err != nil, true)
	id := 0
	for _, rule := range must(client.GetAlertRules()).Rules {
		if rule.Name == request.Name {
			id = rule.ID
		}
	}
	rule := must(client.GetAlertRule(id)).Rules[0]
	same("builder", parsed(rule.Builder), parsed(builder))
	same("maps", [][]int{rule.Devices, rule.Groups, rule.Locations}, [][]int{{}, {}, {}})
	same("rule", []any{rule.Severity, *rule.Notes, *rule.ProcedureURL, bool(rule.Disabled), rule.Query != ""},
		[]any{"critical", "call", "https://wiki.example/down", false, true})

	request.Severity, request.Notes, request.ProcedureURL, request.Disabled = "warning", "", "", true
	must(client.UpdateAlertRule(&librenms.AlertRuleUpdateRequest{AlertRuleCreateRequest: request, ID: id}))
	rule = must(client.GetAlertRule(id)).Rules[0]
	same("replaced rule", []any{rule.Severity, rule.Notes, rule.ProcedureURL, bool(rule.Disabled)},
		[]any{"warning", (*string)(nil), (*string)(nil), true})
	must(client.DeleteAlertRule(id))
	_, err = client.GetAlertRule(id)
	absent("rule that was deleted", 0, err)
}

// alerts finds the active one, acknowledges it and revokes the acknowledgement.
func alerts(client *librenms.Client, id, rule int) {
	listed := must(client.GetAlerts(librenms.NewAlertsQuery().SetState(1).SetRuleID(rule).SetSeverity("critical")))
	same("active alerts of the rule", len(listed.Alerts), 1)
	one := must(client.GetAlert(id)).Alerts[0]
	same("alert", []any{one.ID, one.RuleID, one.State, one.Severity, one.Hostname != "", one.Name != ""},
		[]any{id, rule, 1, "critical", true, true})
	must(client.AckAlert(id, &librenms.AlertAckRequest{Note: "on my way", UntilClear: true}))
	same("acknowledged", must(client.GetAlert(id)).Alerts[0].State, 2)
	must(client.UnmuteAlert(id))
	same("unmuted", must(client.GetAlert(id)).Alerts[0].State, 1)
	same("unknown alert", len(must(client.GetAlert(2147483647)).Alerts), 0)
}
