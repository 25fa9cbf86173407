import { basicAuth, bodyOf, cut, titledText, under } from '../format.ts'
import { httpKind, postForm } from '../kind.ts'

/** One recipient, so that a repeated attempt sends nothing twice to another one. */
export const twilio = httpKind({
  name: 'twilio',
  title: 'Twilio',
  about:
    'Text messages (SMS), or WhatsApp with whatsapp:+… numbers. Each transport has one recipient; for several people, make a group of transports.',
  fields: {
    account: {
      type: 'text',
      required: true,
      was: 'twilio-sid',
      pattern: /^AC[0-9a-zA-Z]{1,64}$/,
      example: 'the SID of an account, which begins with AC',
      about: 'SID of the account.',
    },
    key: {
      type: 'text',
      pattern: /^SK[0-9a-zA-Z]{1,64}$/,
      example: 'the SID of an API key, which begins with SK',
      about: 'SID of an API key, to use its secret instead of the token of the account.',
    },
    token: {
      type: 'text',
      required: true,
      secret: true,
      was: 'twilio-token',
      about: 'Auth token of the account, or secret of the API key.',
    },
    from: {
      type: 'text',
      required: true,
      was: 'twilio-sender',
      about: 'Number or name to send from, or SID of a messaging service (MG…).',
    },
    to: { type: 'text', required: true, was: 'twilio-to', about: 'Number with + and the country code.' },
    max_length: {
      type: 'integer',
      default: 320,
      min: 70,
      max: 1600,
      about:
        'Maximum length of a message, characters. Providers charge for each 153, or 67 if one is not in GSM 03.38.',
    },
    url: { type: 'url', default: 'https://api.twilio.com', about: 'Server.' },
  },
  /** LibreNMS stores some numbers without +. */
  adapt(settings) {
    const { 'twilio-sender': from, 'twilio-to': to, ...others } = settings
    const whole = (name: string, number: unknown) =>
      typeof number === 'string' && /^\d{7,15}$/.test(number.trim())
        ? { [name]: `+${number.trim()}` }
        : number === undefined
          ? {}
          : { [name]: number }
    return { ...whole('twilio-sender', from), ...whole('twilio-to', to), ...others }
  },
  request(notification, { account, key, token, from, to, max_length: most, url }) {
    const title = notification.title.trim()
    const body = bodyOf(notification).trim()
    const text = titledText(title, body)
    // a link takes at most half of the message
    const link = notification.url !== null && notification.url.length < most / 2 ? `\n${notification.url}` : ''
    const sender: Readonly<Record<string, string>> = /^MG[0-9a-zA-Z]{1,64}$/.test(from)
      ? { MessagingServiceSid: from }
      : { From: from }
    const path = `/2010-04-01/Accounts/${account}/Messages.json`
    return postForm(
      under(url, path),
      { To: to, ...sender, Body: `${cut(text, most - link.length)}${link}` },
      basicAuth(key === '' ? account : key, token),
    )
  },
})
