/**
 * The size of an element's inside, as its observer tells it when the page has been laid out: to ask the element while
 * the page is being built would lay all of it out at once, and again when it stands.
 */
export const sizeOf = (box: DOMRectReadOnly | null | undefined): [width: number, height: number] => [
  Math.round(box?.width ?? 0),
  Math.round(box?.height ?? 0),
]
