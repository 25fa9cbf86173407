/** NOTIFY channel for finished discoveries and for added or changed devices, which rules may match differently. */
export const INVENTORY_CHANNEL = 'portlight_inventory'
