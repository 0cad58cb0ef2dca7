import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { chairFrame, roomFrame } from '../lib/frames.testing'
import { doors } from '../lib/games.svelte'
import { i18n } from '../lib/i18n.svelte'
import type { Door, Room } from '../lib/protocol'
import { router } from '../lib/router.svelte'
import { settings } from '../lib/settings.svelte'
import { Refusal, socket, TableFeed } from '../lib/socket.svelte'
import { toasts } from '../lib/toasts.svelte'
import FrontPage from './front/FrontPage.svelte'
import { usualMatch } from './front/play'
import GatherPage from './gather/GatherPage.svelte'

const ask = vi.spyOn(socket, 'ask')

/** A game that this page was not built with: all that is known of it is its door. */
const NIGHTCAP: Door = {
  id: 'nightcap',
  name: 'Nightcap',
  facts: '2 or 3 players',
  text: 'Who poured it?',
  colour: '#5a2a33',
  seats: [2, 3],
  lesson: false,
  rules: false,
  art: null,
}
const door = (name: string) => within(screen.getByRole('article', { name }))
/** Open the sheet of a game against bots. */
async function sheet(game: string) {
  await fireEvent.click(door(game).getByRole('button', { name: 'Play now against bots' }))
  return within(await screen.findByRole('dialog'))
}
const laid = () => ask.mock.calls.map(([wish]) => wish).find(({ type }) => type === 'create_table')

beforeEach(async () => {
  await i18n.use('en')
  await i18n.loadGame('clue')
  socket.welcome = {
    type: 'welcome',
    version: 1,
    games: ['clue'],
    levels: ['rookie', 'detective'],
    local: false,
    address: 'http://house',
    shared: true,
    haste: 1,
  }
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve({ ok: true, json: () => Promise.resolve([]) })),
  )
  ask.mockReset().mockResolvedValue(null as never)
  settings.name = ''
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  socket.lobby = null
  router.go('/')
})

function gather(more: Partial<Room>) {
  return render(GatherPage, { feed: new TableFeed('x'), room: roomFrame({ code: 'K7P2M4XQ', ...more }) })
}

describe('the front page', () => {
  test('two clicks start a game against three detectives', async () => {
    ask.mockResolvedValue({ table: 'abc' } as never)
    render(FrontPage)
    await fireEvent.click((await sheet('Clue')).getByRole('button', { name: 'Start the game' }))

    expect(laid()).toMatchObject({
      game: 'clue',
      chairs: [null, 'detective', 'detective', 'detective'],
      pace: 'brisk',
      start: true,
      name: 'Sleuth',
    })
    await vi.waitFor(() => expect(router.route).toEqual({ page: 'table', table: 'abc', place: '' }))
  })

  test('the sheet begins with what was played last, game by game', async () => {
    ask.mockResolvedValue({ table: 'abc' } as never)
    const { unmount } = render(FrontPage)
    const first = await sheet('Clue')
    for (const name of ['2', 'rookie', 'logic', 'unhurried'])
      await fireEvent.click(first.getByRole('radio', { name, hidden: true }))
    await fireEvent.click(first.getByRole('button', { name: 'Start the game' }))
    await vi.waitFor(() => expect(router.route.page).toBe('table'))
    unmount()
    ask.mockClear()

    render(FrontPage)
    await fireEvent.click((await sheet('Clue')).getByRole('button', { name: 'Start the game' }))
    expect(laid()).toMatchObject({ chairs: [null, 'rookie', 'rookie'], assistance: 'logic', pace: 'unhurried' })
    ask.mockClear()
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await fireEvent.click((await sheet('Crime Hotel')).getByRole('button', { name: 'Start the game' }))
    expect(laid()).toMatchObject({ assistance: 'facts', pace: 'brisk' })
  })

  test('what cannot be played is not remembered', async () => {
    ask.mockRejectedValue(new Refusal('bad_options'))
    render(FrontPage)
    const first = await sheet('Clue')
    await fireEvent.click(first.getByRole('radio', { name: '1' }))
    await fireEvent.click(first.getByRole('button', { name: 'Start the game' }))

    await vi.waitFor(() => expect(toasts.all.at(-1)?.text).toContain('do not go together'))
    expect(usualMatch('clue', ['detective']).bots).toBe(3)
  })

  test('says why it could not', async () => {
    ask.mockRejectedValue(new Refusal('not_stored'))
    render(FrontPage)
    await fireEvent.click((await sheet('Clue')).getByRole('button', { name: 'Start the game' }))

    await vi.waitFor(() => expect(toasts.all.at(-1)?.text).toContain('nothing was changed'))
  })

  describe('with a game that it was not built with', () => {
    let ours: readonly Door[]
    beforeEach(() => {
      ours = doors.all
      doors.all = [...ours, NIGHTCAP]
    })
    afterEach(() => (doors.all = ours))

    test('has a door for each game, in the order of the server and in its words', () => {
      render(FrontPage)

      const shown = screen.getAllByRole('article')
      expect(shown.map((each) => within(each).getByRole('heading').textContent)).toEqual(
        doors.all.map((each) => each.name),
      )
      expect(shown.at(-1)?.textContent).toContain('2 or 3 players')
      expect(shown.at(-1)?.textContent).toContain('Who poured it?')
      expect(shown.at(-1)?.style.getPropertyValue('--game')).toBe('#5a2a33')
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Five doors. Behind each, a murder.')
    })

    test('offers only what there is: neither rules nor a first case', () => {
      render(FrontPage)

      expect(door('Clue').getByRole('link', { name: 'Rules' }).getAttribute('href')).toBe('/rules/clue')
      expect(door('Clue').getByRole('button', { name: 'Your first case, five minutes' })).toBeTruthy()
      expect(door('Nightcap').queryByRole('link')).toBeNull()
      expect(door('Nightcap').getAllByRole('button').length).toBe(2)
    })

    test('leads to the rules that its package brings', () => {
      doors.all = [{ ...NIGHTCAP, rules: true }]
      render(FrontPage)

      expect(door('Nightcap').getByRole('link', { name: 'Rules' }).getAttribute('href')).toBe('/rules/nightcap')
    })

    test('seats no more at it than can play', async () => {
      ask.mockResolvedValue({ table: 'abc' } as never)
      render(FrontPage)
      await fireEvent.click((await sheet('Nightcap')).getByRole('button', { name: 'Start the game' }))

      expect(ask).toHaveBeenCalledWith(
        expect.objectContaining({ game: 'nightcap', chairs: [null, 'detective', 'detective'] }),
      )
    })
  })

  test('lists a table of a game that is not installed, and one that is kept for later', () => {
    const sitters = [{ name: 'Ada', kind: 'person' as const }]
    const odd = {
      game: 'late_night',
      assistance: 'facts' as const,
      at: 0,
      me: null,
      my_turn: false,
      outcome: null,
      closes_ms: null,
      chairs: sitters,
    }
    socket.lobby = {
      type: 'lobby',
      open: [{ ...odd, table: 'a', stage: 'gathering' }],
      mine: [],
      shelved: [{ table: 'b', game: 'night_cap' }],
    }
    render(FrontPage)

    const rows = (name: string) => within(screen.getByRole('region', { name })).getAllByRole('listitem')
    expect(rows('Open tables')[0]?.textContent).toContain('Late night')
    const kept = rows('My games').at(-1)
    expect(kept?.textContent).toBe('Night cap · This game is not installed here; the table is kept.')
    expect(kept?.querySelector('a, button')).toBeNull()
  })

  test('what waits for me comes first and is lit', () => {
    const table = { game: 'clue', assistance: 'facts' as const, at: 0, me: 0, outcome: null, closes_ms: null }
    const sitters = [
      { name: 'Ada', kind: 'person' as const },
      { name: 'Benno', kind: 'person' as const },
    ]
    socket.lobby = {
      type: 'lobby',
      open: [],
      mine: [
        { ...table, table: 'a', stage: 'over', chairs: sitters, my_turn: false },
        { ...table, table: 'b', stage: 'playing', chairs: sitters, my_turn: true },
        { ...table, table: 'c', stage: 'playing', chairs: sitters, my_turn: false, closes_ms: 6.5 * 86_400_000 },
      ],
      shelved: [],
    }
    render(FrontPage)

    const rows = within(screen.getByRole('region', { name: 'My games' })).getAllByRole('listitem')
    expect(rows[1]?.textContent).toContain('closed in 7 days')
    expect(rows[0]?.textContent).toContain('Your turn')
    expect(rows[0]?.textContent).toContain('with Benno')
    expect(rows[0]?.querySelector('a')?.getAttribute('href')).toBe('/t/b')
  })
})

describe('sitting down', () => {
  const room = {
    chairs: [
      chairFrame(0, { kind: 'person', name: 'Benno' }),
      chairFrame(1, { may: ['sit'] }),
      chairFrame(2, { may: ['sit'] }),
    ],
  }

  test('takes the first free seat under the name of last time', async () => {
    settings.name = 'Ada'
    gather(room)
    expect(screen.getByText('Benno invites you to')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Sit down as Ada' }))

    expect(ask).toHaveBeenCalledWith(expect.objectContaining({ type: 'sit_down', table: 'x', seat: 1, name: 'Ada' }))
  })

  test('takes the chosen seat', async () => {
    settings.name = 'Ada'
    gather(room)
    await fireEvent.click(screen.getAllByRole('radio')[1] as HTMLElement)
    await fireEvent.click(screen.getByRole('button', { name: 'Sit down as Ada' }))

    expect(ask).toHaveBeenCalledWith(expect.objectContaining({ seat: 2 }))
  })

  test('asks for a name first', async () => {
    gather(room)
    await fireEvent.click(screen.getByRole('button', { name: 'Sit down' }))

    expect(ask).not.toHaveBeenCalled()
    expect(screen.getByText('Tell the others what to call you.')).toBeTruthy()
  })

  test('at a full table there is nothing to press', () => {
    gather({ chairs: [chairFrame(0, { kind: 'person', name: 'Benno' })] })

    expect(screen.getByText('All seats are taken.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /sit down/i })).toBeNull()
  })
})

describe('the table before the start', () => {
  const chairs = [
    chairFrame(0, { kind: 'person', name: 'Ada' }),
    chairFrame(1, { kind: 'person', name: 'Benno', may: ['set'] }),
    chairFrame(2, { may: ['set'] }),
  ]

  test('gives the host link, code and start', async () => {
    gather({ me: 0, chairs, may: ['start', 'stand_up'], seat_key: 'mine' })
    expect(screen.getByText('http://house/join#K7P2M4XQ')).toBeTruthy()
    expect(screen.getByText('K7P2 M4XQ')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Start, 1 free seat becomes a bot' }))

    expect(ask).toHaveBeenCalledWith({ type: 'start', table: 'x' })
  })

  test('lets the host change chairs', async () => {
    gather({ me: 0, chairs })
    await fireEvent.change(screen.getByRole('combobox', { name: /seat 3/ }), { target: { value: 'rookie' } })
    expect(ask).toHaveBeenCalledWith({ type: 'set_chair', table: 'x', seat: 2, level: 'rookie' })

    await fireEvent.click(screen.getByRole('button', { name: 'Ask Benno to leave' }))
    expect(ask).toHaveBeenCalledWith({ type: 'set_chair', table: 'x', seat: 1, level: null })
  })

  test('offers a guest only what the server admits', () => {
    gather({ me: 1, chairs: chairs.map((each) => ({ ...each, may: [] })), may: ['stand_up'] })

    expect(screen.queryByRole('button', { name: /start/i })).toBeNull()
    expect(screen.queryByRole('combobox')).toBeNull()
    expect(screen.getByRole('button', { name: 'Leave the table' })).toBeTruthy()
  })

  describe('of a rematch', () => {
    const kept = chairs.slice(0, 2).map((each) => ({ ...each, called: true }))

    test('to come is to say yes, once, as whoever one was', async () => {
      const { rerender } = gather({ me: 1, chairs: kept, may: ['stand_up'] })
      await rerender({ room: roomFrame({ me: 1, chairs: kept, paused: true }) })

      const [yes, ...more] = ask.mock.calls.map(([wish]) => wish).filter(({ type }) => type === 'sit_down')
      expect(yes).toMatchObject({ table: 'x', seat: 1, name: 'Benno' })
      expect(more).toEqual([])
    })

    test('the host sees who has come and who was only called, and no square code', () => {
      gather({ me: 0, chairs: [...chairs.slice(0, 1), ...kept.slice(1)], may: ['start'] })

      expect(screen.getByRole('heading', { name: 'Once more, same people' })).toBeTruthy()
      expect(screen.getAllByText('called over, not here yet').length).toBe(1)
      expect(screen.queryByRole('img')).toBeNull()
      expect(ask).not.toHaveBeenCalledWith(expect.objectContaining({ type: 'sit_down' }))
    })
  })

  test('keeps the secret of a seat out of the page until it is asked for', () => {
    const { container } = gather({ me: 0, chairs, seat_key: 'very-secret' })

    expect(container.innerHTML).not.toContain('very-secret')
  })
})
