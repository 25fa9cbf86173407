import { DEVICE } from '../../../core/records/device.ts'
import { presenter } from '../../../core/records/fields.ts'
import { MODEL_FORMS } from './model.ts'

/** A device in model form. Serves get_device, add_device, del_device and `with=device` of get_port_info. */
export const presentDevice = presenter(DEVICE, MODEL_FORMS)
