/**
 * The size of an element's inside, as its observer tells it when the page has been laid out: to ask the element while
 * the page is being built would lay all of it out at once, and again when it stands.
 */
export const sizeOf = ({ width, height }: DOMRectReadOnly): [width: number, height: number] => [
  Math.round(width),
  Math.round(height),
]
