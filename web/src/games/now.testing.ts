import type { Language } from '../lib/i18n.svelte'

/** What NOW may tell me to do. */
export interface Verb {
  /** How it is said, by language. */
  says: Record<Language, RegExp>
  /** What must be on offer, one of them at least. */
  offers: readonly string[]
  /** What does it: keys of the game's texts, one of which a control bears. */
  by?: readonly string[]
  /** Or where on the board the controls are that do it. */
  board?: string
}
const said = (en: RegExp, de: RegExp, fr: RegExp, nb: RegExp) => ({ en, de, fr, nb })

/** Where Perfect Alibi's assistants lie. */
const FACES = 'ul button'

/** The verbs of NOW: a sentence that says one without an offer and a control for it tells a lie. */
export const VERBS: Readonly<Record<string, Readonly<Record<string, Verb>>>> = {
  clue: {
    move: {
      says: said(
        /how do you move|turn: move/i,
        /wie ziehst du|dran: zieh\b/i,
        /te déplaces-tu|déplace-toi/i,
        /hvordan flytter du|tur: flytt\b/i,
      ),
      offers: ['Roll', 'TakePassage', 'StayAndSuggest'],
      by: ['action.Roll', 'action.Roll.two', 'action.TakePassage', 'now.stay'],
    },
    throw: {
      says: said(/\bthrow\b/i, /\bwürfle\b/i, /\blance\b/i, /\bkast\b/i),
      offers: ['Roll'],
      by: ['action.Roll', 'action.Roll.two'],
    },
    'take the passage': {
      says: said(/passage/i, /geheimgang/i, /passage/i, /lønngang/i),
      offers: ['TakePassage'],
      by: ['action.TakePassage'],
    },
    'stay and suggest': {
      says: said(/stay and suggest/i, /bleib(en)? und vermute/i, /rester? et suppose/i, /bli og legg/i),
      offers: ['StayAndSuggest'],
      by: ['now.stay'],
    },
    suggest: {
      says: said(
        /turn: suggest|make one suggestion/i,
        /dran: vermute|darfst du eine vermutung/i,
        /toi : suppose/i,
        /tur: legg fram/i,
      ),
      offers: ['Suggest'],
      by: ['now.suggest', 'now.make_suggestion'],
    },
    'tap a square': {
      says: said(
        /tap a lit square|turn: walk/i,
        /tippe auf ein leuchtendes feld|dran: geh\b/i,
        /touche une case|toi : avance/i,
        /trykk på en opplyst rute|tur: gå/i,
      ),
      offers: ['Move'],
      board: '[data-arrows] button',
    },
    'enter a room': {
      says: said(/enter a lit room/i, /in einen leuchtenden raum/i, /entre dans une pièce/i, /inn i et opplyst rom/i),
      offers: ['Move'],
      by: ['now.enter'],
    },
    'end the turn': {
      says: said(/end your turn|end it/i, /beende (deinen|den) zug|zug beenden/i, /finis ton tour/i, /avslutt/i),
      offers: ['EndTurn'],
      by: ['action.EndTurn', 'now.no_suggestion'],
    },
    accuse: {
      says: said(/\baccuse\b/i, /klage an|anklagen/i, /\baccuser?\b/i, /\banklage?\b/i),
      offers: ['Accuse'],
      by: ['action.Accuse.open', 'action.Accuse'],
    },
    'show a card': {
      says: said(/^show /i, /^zeige /i, /^montre /i, /^vis /i),
      offers: ['Show'],
      by: ['now.show'],
    },
    'have none': {
      says: said(/none of them/i, /keine davon/i, /n’en as aucune/i, /ikke har noen av dem/i),
      offers: ['CannotShow'],
      by: ['action.CannotShow'],
    },
    'look aside': {
      says: said(/look at a side card/i, /sieh dir eine karte an/i, /regarde une carte/i, /se på et sidekort/i),
      offers: ['LookAside'],
      by: ['now.aside.look'],
    },
  },
  perfect_alibi: {
    'take a chip': {
      says: said(/take a chip/i, /nimm ein verhörplättchen/i, /prends un jeton/i, /ta en brikke/i),
      offers: ['TakeChip'],
      board: 'ul button',
    },
    'choose whom to ask': {
      says: said(/whom do you ask/i, /wen fragst du/i, /qui interroges-tu/i, /hvem spør du/i),
      offers: ['TakeChip', 'AskFreely', 'AskLast'],
      board: 'ul button',
    },
    'pick an assistant': {
      says: said(
        /pick (your|an) assistant/i,
        /wähle (deinen|einen) assistenten/i,
        /choisis (ton|un) assistant/i,
        /velg assistent/i,
      ),
      offers: ['PickAssistant'],
      board: FACES,
    },
    'change the assistant': {
      says: said(/change your assistant/i, /wechsle den assistenten/i, /change d’assistant/i, /bytt assistent/i),
      offers: ['ChangeAssistant'],
      board: FACES,
    },
    'take another assistant': {
      says: said(/take another/i, /nimm einen anderen/i, /prends-en un autre|prends un autre/i, /ta en annen/i),
      offers: ['TakeReplacement'],
      board: FACES,
    },
    ask: {
      says: said(
        /ask your question|how many of your alibis/i,
        /stelle deine frage|wie viele deiner alibis/i,
        /pose ta question|combien de tes alibis/i,
        /still spørsmålet|hvor mange av alibiene/i,
      ),
      offers: ['Ask', 'AskFreely', 'AskLast'],
      by: ['now.ask', 'now.ask.last', 'now.ask.nobody'],
    },
    answer: {
      says: said(
        /^answer |asked: answer/i,
        /^antworte |gefragt: antworte/i,
        /^réponds |interroge : réponds/i,
        /^svar |spurt: svar/i,
      ),
      offers: ['Answer', 'Announce', 'Correct', 'Show', 'ShowLate'],
      by: ['now.say', 'now.say.none', 'now.show'],
    },
    'count for myself': {
      says: said(/count for yourself/i, /zähle selbst/i, /compte toi-même/i, /tell selv/i),
      offers: ['Announce'],
      by: ['now.say', 'now.say.none'],
    },
    lie: {
      says: said(/you must lie/i, /musst .* anlügen/i, /dois mentir/i, /må lyve/i),
      offers: ['Answer'],
      by: ['now.say'],
    },
    'show a card': {
      says: said(
        /is to see one of your cards/i,
        /soll eine deiner karten sehen/i,
        /va voir une de tes cartes/i,
        /skal få se et av kortene/i,
      ),
      offers: ['Show', 'ShowLate'],
      by: ['now.show'],
    },
    'draw a card': {
      says: said(/\bdraw one of/i, /\bziehe blind/i, /\btire à l’aveugle .*, ou/i, /\btrekk et av/i),
      offers: ['DrawCard'],
      by: ['now.cook.draw'],
    },
    'let them choose': {
      says: said(/or let .* choose/i, /oder lass /i, /ou laisse /i, /eller la /i),
      offers: ['LetShow'],
      by: ['now.cook.let'],
    },
    'name the card': {
      says: said(
        /must name the missing alibi|^name the missing/i,
        /alibi nennen|^nenne das fehlende/i,
        /nommer l’alibi|^nomme l’alibi/i,
        /nevne alibiet|^nevn alibiet/i,
      ),
      offers: ['Name'],
      by: ['now.mark.Name.yes', 'now.mark.none'],
    },
  },
  crime_hotel: {
    'play a card': {
      says: said(
        /play any card|follow with a card|play a card/i,
        /spielst aus|folge mit|spiele eine karte/i,
        /joue la carte|suis avec|joue une carte/i,
        /spiller ut|følg med|spill et kort/i,
      ),
      offers: ['Play'],
      by: ['now.play.go', 'now.play.guess', 'now.play.police', 'now.play.back', 'now.play.choose'],
    },
    guess: {
      says: said(
        /on a guess|turn: guess/i,
        /auf einen tipp|dran: tippe/i,
        /sur une mise|toi : mise/i,
        /på et tips|tur: tipp/i,
      ),
      offers: ['Guess'],
      by: ['now.guess.go', 'now.guess.choose'],
    },
    'tap a floor': {
      says: said(/tap a floor/i, /tippe auf eine etage/i, /touche un étage/i, /trykk på en etasje/i),
      offers: ['Guess'],
      board: '[aria-label^="floor"], [aria-label^="Etage"], [aria-label^="étage"], [aria-label^="etasje"]',
    },
    'tap a column': {
      says: said(/a column/i, /eine spalte/i, /une colonne/i, /en kolonne/i),
      offers: ['Guess', 'Relocate'],
      board: '[aria-label^="column"], [aria-label^="Spalte"], [aria-label^="colonne"], [aria-label^="kolonne"]',
    },
    'tap a dark room': {
      says: said(/a dark room/i, /ein dunkles zimmer/i, /une chambre sombre/i, /et mørkt rom/i),
      offers: ['Guess'],
      board: '[aria-label^="room"], [aria-label^="Zimmer"], [aria-label^="chambre"], [aria-label^="rom "]',
    },
    'take a desk': {
      says: said(/take a desk/i, /nimm einen schreibtisch/i, /prends un bureau/i, /ta et skrivebord/i),
      offers: ['TakeDesk', 'Relocate', 'Exchange', 'Look'],
      by: [
        'now.desk.take',
        ...['choose', 'go'].map((key) => `now.relocate.${key}`),
        ...['choose', 'go.one', 'go.other'].map((key) => `now.exchange.${key}`),
        ...['choose', 'go', 'none'].map((key) => `now.look.${key}`),
      ],
      board: '.station button',
    },
    'lay the last card': {
      says: said(
        /lay your last card/i,
        /lege deine letzte karte/i,
        /dévoile ta dernière carte/i,
        /legg det siste kortet/i,
      ),
      offers: ['LayLast'],
      by: ['now.last.go'],
    },
  },
  arosa: {
    'look for victims': {
      says: said(/look for the victims/i, /such die opfer/i, /cherche les victimes/i, /let etter ofrene/i),
      offers: ['Inspect'],
      by: ['now.open', 'now.open.anyway', 'now.choose'],
    },
    suspect: {
      says: said(/whom do you suspect/i, /wen verdächtigst du/i, /qui suspectes-tu/i, /hvem mistenker du/i),
      offers: ['Suspect'],
      by: ['now.suspect.go', 'now.suspect.choose', 'now.choose'],
    },
    'take clues back': {
      says: said(
        /take clues back|do you take back/i,
        /nimm spuren zurück|nimmst du zurück/i,
        /reprends des traces|en reprends-tu/i,
        /ta spor tilbake|tar du tilbake/i,
      ),
      offers: ['TakeBack'],
      by: ['now.take_back.go.one', 'now.take_back.go.other'],
    },
    'choose the order': {
      says: said(
        /choose the order|put them in the order/i,
        /wähl die reihenfolge|in die reihenfolge/i,
        /choisis l’ordre|dans l’ordre/i,
        /velg rekkefølgen|den rekkefølgen/i,
      ),
      offers: ['Arrange'],
      by: ['now.arrange.go'],
    },
  },
}
