/** Whether the page is about to load anew: until then it waits, and says nothing of what did not arrive. */
export const afresh = $state({ begins: false })
