"""Calls every public method of aiolibrenms and prints the parsed results as one JSON object.

Arguments: host, port, token, a token that may do nothing here, id of a device.
"""

import asyncio
import dataclasses
import json
import sys

import aiohttp
from aiolibrenms import Librenms
from aiolibrenms.exceptions import LibrenmsError


async def refused(call):
    """Name and text of the exception that a call must raise."""
    try:
        await call
    except LibrenmsError as error:
        return {"kind": type(error).__name__, "message": str(error)}
    return {"kind": "none", "message": ""}


async def main(host, port, token, weak_token, device_id):
    async with aiohttp.ClientSession() as session:

        def client(key):
            return Librenms(session, key, host, int(port), use_ssl=False)

        ours = client(token)
        listed = await ours.devices.async_get_devices()
        by_id = await ours.devices.async_get_device(device_id)
        by_name = await ours.devices.async_get_device(by_id.hostname)
        availability = await ours.devices.async_get_device_availability(device_id)
        system = await ours.system.async_get_system_info()
        understood = {
            "listed": [dataclasses.asdict(device) for device in listed],
            "by_id": dataclasses.asdict(by_id),
            "by_name": dataclasses.asdict(by_name),
            "availability": dataclasses.asdict(availability),
            "system": dataclasses.asdict(system),
            "no_token": await refused(client("").devices.async_get_devices()),
            "wrong_token": await refused(client("0" * 32).system.async_get_system_info()),
            "weak_system": await refused(client(weak_token).system.async_get_system_info()),
            "weak_device": await refused(client(weak_token).devices.async_get_device(device_id)),
            "no_device": await refused(ours.devices.async_get_device("no-such-device")),
            "no_availability": await refused(ours.devices.async_get_device_availability("2147483647")),
        }
    print(json.dumps(understood, default=lambda moment: moment.isoformat()))


asyncio.run(main(*sys.argv[1:]))
