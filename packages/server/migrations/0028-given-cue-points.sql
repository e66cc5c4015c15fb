-- Cue points of videos: those that editors set, those of the file, and proposals.

-- Members of the wire record, appended to the document; null where there are none. Not in the document itself: processes of
-- the previous release write documents without them.
alter table videos add column cue_points text;

-- What was found in the file: {"chaptersMs", "proposedMs"}. Null for packages of earlier releases.
alter table assets add column found_cues jsonb;

-- The parts of packages that exist are those of chapters.
update videos v
   set cue_points = '"cue_points_ms":null,"cue_points":[' || (
         select string_agg('{"at_ms":' || round((part.value ->> 'ticks')::numeric / 90) || ',"origin":"CHAPTER","offset_ms":0}',
                           ',' order by (part.value ->> 'ticks')::bigint)
           from jsonb_array_elements(a.cuts) as part) || ']'
  from (select distinct on (account_id, video_id) account_id, video_id, cuts from assets
         where state = 'READY' order by account_id, video_id, asset_id desc) a
 where a.account_id = v.account_id and a.video_id = v.video_id and a.cuts is not null;
