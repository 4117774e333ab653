/** How times are written, for the help of commands. Apart from reading them, which loads a calendar that no other command needs. */

export const TIME_HELP = `
Times: 14:00 (the last time that it was 14:00), "yesterday 14:00", yesterday (its midnight), today, now, -24h, -30m, -7d,
2026-05-01, "2026-05-01 14:00", 2026-05-01T12:00:00Z. Without a zone they are local times of the home.`;
