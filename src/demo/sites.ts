/** Locations of the fleet, with the coordinates of public squares. */
export const SITES = {
  headquarters: 'Headquarters Bern, Bundesplatz [46.94722, 7.44417]',
  dataCentre: 'Data centre Zurich, Helvetiaplatz [47.37444, 8.52639]',
  branch: 'Branch Lyon, Place Bellecour [45.75778, 4.83222]',
  warehouse: 'Warehouse Basel, Marktplatz [47.55833, 7.58778]',
} as const
