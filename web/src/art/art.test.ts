import { fireEvent, render } from '@testing-library/svelte'
import { describe, expect, it } from 'vitest'
import { IDENTITIES } from '../lib/seats'
import Door from './Door.svelte'
import SeatBadge from './SeatBadge.svelte'
import { SEAT_LETTERS, SEAT_SHAPES } from './seatShapes'

describe('a seat badge', () => {
  it('has a shape and a letter for every identity, and no two alike', () => {
    const shapes = IDENTITIES.map(({ shape }) => SEAT_SHAPES[shape].outline)
    expect(new Set(shapes).size).toBe(6)
    for (const { letter } of IDENTITIES) expect(SEAT_LETTERS[letter]).toBeDefined()
  })

  it('drops the letter below 18 px and keeps the shape', () => {
    const paths = (size: number) => render(SeatBadge, { identity: 1, size }).container.querySelectorAll('path').length
    expect([paths(18), paths(17)]).toEqual([2, 1])
  })

  it('is silent unless it stands alone', () => {
    const quiet = render(SeatBadge, { identity: 0 }).container.querySelector('svg')
    expect(quiet?.getAttribute('aria-hidden')).toBe('true')
    const alone = render(SeatBadge, { identity: 0, label: 'Ada' }).container.querySelector('svg')
    expect([alone?.getAttribute('role'), alone?.getAttribute('aria-label')]).toEqual(['img', 'Ada'])
    expect(alone?.hasAttribute('aria-hidden')).toBe(false)
  })
})

describe('a door', () => {
  const drawn = Object.keys(import.meta.glob('../games/*/Door.svelte')).map((path) => path.split('/')[2] as string)
  const picture = (game: string, art?: string) => render(Door, { game, art: art ?? null }).container
  const lines = (game: string) => picture(game).innerHTML.replaceAll(/id="[^"]*"|url\(#[^)]*\)/g, '')

  it('does not share the ids of its glow with others on the page', () => {
    const ids = drawn.map((game) => picture(game).querySelector('radialGradient')?.id)
    expect(drawn.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(drawn.length)
  })

  it('is drawn in the folder of its game, and plain where nobody has drawn one', () => {
    const all = [...drawn, 'nobodys'].map(lines)
    expect(new Set(all).size).toBe(all.length)
    expect(lines('another')).toBe(all.at(-1))
  })

  it('is the picture of its package where we have drawn none; and plain again if that is lost', async () => {
    const shown = picture('nobodys', '/api/games/nobodys/door.svg')
    const image = shown.querySelector('image')
    expect(image?.getAttribute('href')).toBe('/api/games/nobodys/door.svg')
    expect(picture(drawn[0] as string, '/api/games/nobodys/door.svg').querySelector('image')).toBeNull()

    await fireEvent.error(image as Element)
    expect(shown.querySelector('image')).toBeNull()
    expect(shown.querySelectorAll('path').length).toBe(picture('nobodys').querySelectorAll('path').length)
  })
})
