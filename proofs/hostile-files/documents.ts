import { type Bait, type HostileFile, texts } from './hostile-file.ts'

/** Playlists of older players. */
export const listsOfLinks = ({
  pipe,
  video,
  forbiddenHosts: [unknownHost, otherPortHost],
}: Bait): HostileFile[] =>
  texts('list of links', {
    'list.asx': `<asx version="3.0"><entry><ref href="http://${unknownHost}/a.wmv"/></entry></asx>`,
    'list.pls': `[playlist]\nNumberOfEntries=1\nFile1=file://${pipe}\nVersion=2\n`,
    'list.smil': `<smil><body><video src="file://${video}"/><video src="http://${otherPortHost}/a"/></body></smil>`,
    'list.xspf': `<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>file://${pipe}</location></track></trackList></playlist>`,
    'list.m3u': `${video}\nhttp://${unknownHost}/a.mp4\n`,
    'list.ram': `rtsp://${unknownHost}/a.rm\nfile://${pipe}\n`,
    'list.qtl': `<?xml version="1.0"?><?quicktime type="application/x-quicktime-media-link"?><embed src="http://${unknownHost}/a.mov"/>`,
    'reference.wmv': `[Reference]\r\nRef1=http://${otherPortHost}/a?MSWMExt=.asf\r\n`,
    'rtsp.mov': `RTSPtext\r\nrtsp://${unknownHost}/a\r\n`,
  })

export const documents = ({ pipe, forbiddenHosts: [unknownHost, otherPortHost] }: Bait): HostileFile[] =>
  texts('document', {
    'entity.xml': `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e SYSTEM "file://${pipe}">]><a>&e;</a>`,
    'entity-http.xml': `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY % e SYSTEM "http://${unknownHost}/a.dtd"> %e;]><a/>`,
    'laughs.xml': `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha">${laughs()}]><a>&j;</a>`,
    'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg"><image href="file://${pipe}"/><image href="http://${unknownHost}/a.png"/></svg>`,
    'entity.svg': `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e SYSTEM "file://${pipe}">]><svg xmlns="http://www.w3.org/2000/svg"><text>&e;</text></svg>`,
    'page.html': `<!doctype html><meta http-equiv="refresh" content="0;url=http://${otherPortHost}/"><video src="http://${unknownHost}/a.mp4">`,
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
