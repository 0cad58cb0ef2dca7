import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { doors, gameName } from './games.svelte'
import { grouped, gt, i18n, LANGUAGES, say, t, tenths, term } from './i18n.svelte'

beforeAll(async () => {
  await i18n.use('en')
  await i18n.loadGame('clue')
})

describe('words', () => {
  test('are filled in', () => {
    expect(t('join.invites', { name: 'Benno' })).toBe('Benno invites you to')
  })

  test('one and many', () => {
    expect(t('front.free', { count: 1 })).toBe('1 free')
    expect(t('front.free', { count: 2 })).toBe('2 free')
    expect(t('front.free', { count: 0 })).toBe('0 free')
  })

  test('what is missing is not passed over', () => {
    expect(() => t('nonsense')).toThrow('nonsense')
    expect(() => t('join.invites')).toThrow('{name}')
    expect(() => gt('clue', 'nonsense')).toThrow('nonsense')
  })

  test('a second key helps where the first is unknown', () => {
    expect(t('refused.nonsense', {}, 'refused.other')).toBe(t('refused.other'))
  })

  test('change with the language', async () => {
    await i18n.use('de')
    expect(t('close')).toBe('Schließen')
    expect(document.documentElement.lang).toBe('de')
    await i18n.use('en')
    expect(t('close')).toBe('Close')
  })

  test('words that did not come are asked for again', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response('', { status: 503 }))
    await expect(i18n.loadLater()).rejects.toThrow('503')
    expect(() => t('notices')).toThrow('notices')
    expect(t('close')).toBe('Close')
    fetched.mockClear()
    await i18n.loadLater()
    expect(fetched).toHaveBeenCalled()
    fetched.mockRestore()
  })

  test('what is seldom opened brings its words along, and changes with the rest', async () => {
    await i18n.loadLater()
    expect(t('notices')).toBe('Turn notices')
    await i18n.use('de')
    expect(t('notices')).toBe('Mir Bescheid geben')
    await i18n.use('en')
  })

  test('a game asked for while the language changes comes in the new one', async () => {
    await Promise.all([i18n.loadGame('arosa'), i18n.use('fr'), i18n.loadGame('crime_hotel')])
    expect(gt('arosa', 'ui.sheet')).toBe('Tableau de recherche')
    expect(gt('crime_hotel', 'ui.hand')).toBe('Ma main')
    await i18n.use('en')
  })
})

describe('grammar', () => {
  afterAll(() => i18n.use('en'))

  test('a gap can ask for another form of a thing', async () => {
    await i18n.use('de')
    const moved = {
      key: 'moved.room',
      params: { seat: { type: 'who' as const, seat: 0 }, room: { type: 'term' as const, word: 'Hall' } },
    }
    expect(say(moved, 'clue', ['Ada'])).toBe('Ada geht in die Halle.')
  })

  test('French elides before a vowel, and nobody else does', async () => {
    await i18n.use('fr')
    expect(gt('clue', 'ui.held', { name: 'Ada' })).toBe('Les cartes d’Ada')
    expect(gt('clue', 'ui.held', { name: 'Émile' })).toBe('Les cartes d’Émile')
    expect(gt('clue', 'ui.held', { name: 'Benno' })).toBe('Les cartes de Benno')
    await i18n.use('de')
    expect(gt('clue', 'ui.held', { name: 'Ada' })).toBe('Die Karten von Ada')
  })

  test('nothing is one of it in French, and many elsewhere', async () => {
    await i18n.use('fr')
    expect(t('front.free', { count: 0 })).toBe('0 libre')
    await i18n.use('nb')
    expect(t('front.free', { count: 0 })).toBe('0 ledige')
  })

  test('decimals are written as the language does', async () => {
    await i18n.use('nb')
    expect(tenths(2.25)).toBe('2,3')
    await i18n.use('en')
    expect(tenths(2.25)).toBe('2.3')
  })

  test('figures are written as the browser would', async () => {
    for (const { id } of LANGUAGES) {
      await i18n.use(id)
      const one = new Intl.NumberFormat(id, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
      for (const value of [0, 0.04, 0.05, 0.35, 2.25, 9.96, 17.3, 999.95, 1234.5])
        expect(tenths(value)).toBe(one.format(value))
      const whole = new Intl.NumberFormat(id)
      for (const figures of ['0', '12', '999', '1000', '65432', '123456', '98765432109876543210'])
        expect(grouped(figures)).toBe(whole.format(BigInt(figures)))
    }
    await i18n.use('en')
  })
})

describe('the doors', () => {
  const answering = (answer: (url: string) => Response) => {
    const real = globalThis.fetch
    return vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation((url, init) =>
        String(url).startsWith('/api/') ? Promise.resolve(answer(String(url))) : real(url, init),
      )
  }
  afterEach(async () => {
    vi.restoreAllMocks()
    await i18n.use('en')
  })

  test('come with the words of the page and change with them', async () => {
    expect(gameName('clue')).toBe('Clue')
    await i18n.use('de')
    expect(gameName('clue')).toBe('Cluedo')
    expect(doors.of('clue')?.facts).toBe('2 bis 6 Personen · 45 Minuten')
  })

  test('are asked for once in a language', async () => {
    const asked = answering(() => Response.json([]))
    await i18n.use('en')
    await i18n.loadLater()
    expect(asked.mock.calls.filter(([url]) => String(url).startsWith('/api/'))).toEqual([])
  })

  test('that do not come leave the page in the language that it has', async () => {
    answering(() => new Response('', { status: 503 }))
    await expect(i18n.use('fr')).rejects.toThrow('/api/doors/fr: 503')
    expect([i18n.language, t('close'), gameName('clue')]).toEqual(['en', 'Close', 'Clue'])
  })

  test('of games that are not installed are named by their ids', () => {
    expect([gameName('late_night_2'), gameName('x')]).toEqual(['Late night 2', 'X'])
    expect(doors.of('late_night_2')).toBeUndefined()
  })
})

describe('the language of the browser', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    localStorage.clear()
  })

  test.each([
    ['nb-NO', 'nb'],
    ['no', 'nb'],
    ['nn-NO', 'nb'],
    ['fr-CA', 'fr'],
    ['de-AT', 'de'],
    ['pt-BR', 'en'],
  ])('%s is answered in %s', async (wish, answer) => {
    localStorage.clear()
    vi.stubGlobal('navigator', { languages: [wish] })
    await i18n.start()
    expect(i18n.language).toBe(answer)
  })
})

describe('messages', () => {
  test('name players, things, lists of things and numbers', () => {
    const shown = { type: 'term' as const, word: 'Rope' }
    const message = {
      key: 'card_shown.seen',
      params: { seat: { type: 'who' as const, seat: 1 }, to: { type: 'who' as const, seat: 0 }, card: shown },
    }
    expect(say(message, 'clue', ['Ada', 'Benno'])).toContain('Benno')
    expect(say(message, 'clue', ['Ada', 'Benno'])).toContain(term('clue', 'Rope'))

    const dealt = {
      key: 'hand_dealt.seen',
      params: {
        seat: { type: 'who' as const, seat: 0 },
        size: 2,
        cards: [shown, { type: 'term' as const, word: 'Hall' }],
      },
    }
    expect(say(dealt, 'clue', ['Ada'])).toContain(`${term('clue', 'Rope')}, ${term('clue', 'Hall')}`)
    expect(say(dealt, 'clue', ['Ada'])).toContain('2')
  })

  test('part things by semicolons that have a comma in their names', async () => {
    await i18n.loadGame('perfect_alibi')
    const cards = ['Bar-3', 'Library-6'].map((word) => ({ type: 'term' as const, word }))
    const message = { key: 'cards_opened', params: { cards } }
    expect(say(message, 'perfect_alibi', [])).toContain(
      `${term('perfect_alibi', 'Bar-3')}; ${term('perfect_alibi', 'Library-6')}`,
    )
  })
})
