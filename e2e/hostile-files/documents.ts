import { type Bait, type HostileFile, texts } from './hostile-file.ts'

/** What players of other times open when they are given a list. */
export const listsOfLinks = ({ pipe, video, strangers: [stranger, neighbour] }: Bait): HostileFile[] =>
  texts('list of links', {
    'list.asx': `<asx version="3.0"><entry><ref href="http://${stranger}/a.wmv"/></entry></asx>`,
    'list.pls': `[playlist]\nNumberOfEntries=1\nFile1=file://${pipe}\nVersion=2\n`,
    'list.smil': `<smil><body><video src="file://${video}"/><video src="http://${neighbour}/a"/></body></smil>`,
    'list.xspf': `<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>file://${pipe}</location></track></trackList></playlist>`,
    'list.m3u': `${video}\nhttp://${stranger}/a.mp4\n`,
    'list.ram': `rtsp://${stranger}/a.rm\nfile://${pipe}\n`,
    'list.qtl': `<?xml version="1.0"?><?quicktime type="application/x-quicktime-media-link"?><embed src="http://${stranger}/a.mov"/>`,
    'reference.wmv': `[Reference]\r\nRef1=http://${neighbour}/a?MSWMExt=.asf\r\n`,
    'rtsp.mov': `RTSPtext\r\nrtsp://${stranger}/a\r\n`,
  })

export const documents = ({ pipe, strangers: [stranger, neighbour] }: Bait): HostileFile[] =>
  texts('document', {
    'entity.xml': `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e SYSTEM "file://${pipe}">]><a>&e;</a>`,
    'entity-http.xml': `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY % e SYSTEM "http://${stranger}/a.dtd"> %e;]><a/>`,
    'laughs.xml': `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha">${laughs()}]><a>&j;</a>`,
    'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg"><image href="file://${pipe}"/><image href="http://${stranger}/a.png"/></svg>`,
    'entity.svg': `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e SYSTEM "file://${pipe}">]><svg xmlns="http://www.w3.org/2000/svg"><text>&e;</text></svg>`,
    'page.html': `<!doctype html><meta http-equiv="refresh" content="0;url=http://${neighbour}/"><video src="http://${stranger}/a.mp4">`,
    'page.mp4': `<html><body><iframe src="file://${pipe}"></iframe></body></html>`,
  })

const laughs = (): string =>
  [...'bcdefghij'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join('')

export const subtitles = ({ pipe }: Bait): HostileFile[] =>
  texts('subtitles', {
    'text.srt': `1\n00:00:00,000 --> 00:00:02,000\n<img src="file://${pipe}">\n\n`,
    'text.ass': `[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Text\nDialogue: 0,0:00:00.00,0:00:02.00,{\\fn${pipe}}a\n`,
    'text.vtt': `WEBVTT\n\nSTYLE\n::cue { background: url(file://${pipe}) }\n\n00:00.000 --> 00:02.000\na\n`,
    'index.idx': `# VobSub index file, v7\nsize: 720x576\nid: en, index: 0\ntimestamp: 00:00:00:000, filepos: 000000000\n`,
    'text.mp4': `{0}{60}file://${pipe}\n{61}{90}b\n`,
  })
