import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Formatting of numbers, files and devices") struct DisplayTests {
    @Test(
        "byte counts use decimal units and at most three significant digits",
        arguments: [
            (-1, "0 B"), (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1500, "1.5 kB"), (99_949, "99.9 kB"),
            (123_456, "123 kB"), (999_960, "1 MB"), (5_000_000_000, "5 GB"), (2_000_000_000_000, "2 TB"),
            (.max, "9.2 EB"),
        ] as [(Int64, String)]
    )
    func bytes(_ count: Int64, _ text: String) { #expect(ByteText.text(count) == text) }

    @Test(
        "a remaining time is formatted with limited precision",
        arguments: [
            (0, "0 s"), (0.2, "1 s"), (99, "99 s"), (100, "2 min"), (3599, "60 min"), (5970, "1 h 40 min"),
            (7200, "2 h"), (90_000, "25 h"), (.infinity, "more than 11 days"), (.nan, "more than 11 days"), (-5, "0 s"),
        ]
    )
    func time(_ seconds: Double, _ text: String) { #expect(TimeText.text(seconds: seconds) == text) }

    @Test("the rate covers the last seconds and determines the remaining time")
    func rate() {
        var rate = TransferRate(start: 0)
        #expect(rate.bytesPerSecond == nil)
        rate.record(1000, at: 1)
        #expect(rate.bytesPerSecond == 1000)
        for second in 2...30 { rate.record(1000 + Int64(second - 1) * 100, at: Double(second)) }
        #expect(rate.bytesPerSecond == 100)
        #expect(rate.secondsLeft(for: 500) == 5)
        #expect(rate.secondsLeft(for: -5) == 0)
    }

    @Test("a stalled transfer has no remaining time")
    func stalled() {
        var rate = TransferRate(start: 0)
        for second in 1...20 { rate.record(0, at: Double(second)) }
        #expect(rate.secondsLeft(for: 500) == nil)
    }

    @Test("the progress line shows files, bytes, rate, remaining time and failures")
    func line() {
        var line = ProgressLine(start: 0)
        var progress = TransferProgress()
        #expect(line.text(progress, verb: "Backing up", at: 0.1) == "Scanning files…")
        progress.totalFiles = 100
        progress.totalBytes = 10_000_000
        #expect(line.text(progress, verb: "Backing up", at: 0.2) == "Backing up 0/100 files, 0 B of 10 MB")
        progress.finishedFiles = 50
        progress.finishedBytes = 5_000_000
        progress.movedBytes = 2_500_000
        progress.failedFiles = 1
        #expect(
            line.text(progress, verb: "Backing up", at: 5)
                == "Backing up 50/100 files, 5 MB of 10 MB, 500 kB/s, 5 s left, 1 failed"
        )
    }

    @Test("a store that does not respond replaces the rate and the remaining time")
    func silentStore() {
        var line = ProgressLine(start: 0)
        #expect(
            line.text(TransferProgress(), verb: "Backing up", at: 1, stallDuration: 7.9)
                == "Backing up: no response from the photo store for 7 s")
        var progress = TransferProgress()
        progress.totalFiles = 2
        progress.totalBytes = 10_000_000
        progress.finishedFiles = 1
        progress.finishedBytes = 9_900_000
        progress.movedBytes = 9_900_000
        #expect(line.text(progress, verb: "Backing up", at: 5, stallDuration: 4.9).hasSuffix("left"))
        #expect(
            line.text(progress, verb: "Backing up", at: 40, stallDuration: 35)
                == "Backing up 1/2 files, 9.9 MB of 10 MB, no response from the photo store for 35 s")
    }

    @Test("each device line starts with its ID, which distinguishes devices with the same name")
    func devices() {
        let ids = (1...2).map { DeviceID(uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, $0))) }
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        let devices = ids.map {
            Device(
                id: $0, name: "laptop", model: nil, platform: "linux", createdAt: date, lastSeenAt: date,
                lastSyncAt: nil, isBound: $0 == ids[1], isCurrent: $0 == ids[0],
                country: $0 == ids[1] ? CountryCode("DE") : nil
            )
        }
        let lines = DevicesResult(devices: devices).text.split(separator: "\n")
        #expect(lines.count == 2)
        for (line, id) in zip(lines, ids) { #expect(line.hasPrefix("\(id)  “laptop” (linux), since ")) }
        #expect(lines[0].hasSuffix("← this device"))
        #expect(lines.map { $0.contains("bound to its key") } == [false, true])
        #expect(lines.map { $0.contains(", signed in from Germany, last seen ") } == [false, true])
        #expect(lines.map { $0.contains("signed in from") } == [false, true])
    }

    @Test("a list of more than 20 files is truncated with a note")
    func leftOut() throws {
        let json = (0..<25).map { #"{"path": "\#($0).txt", "reason": "not a photo or video"}"# }.joined(separator: ",")
        let files = try WireJSON.decoder().decode([FileFailure].self, from: Data("[\(json)]".utf8))
        let lines = FailureLines.lines(files)
        #expect(lines.count == 21)
        #expect(lines.first == "  0.txt: not a photo or video")
        #expect(lines.last == "  … and 5 more (--json lists them all)")
    }

    @Test("omitted files are counted per reason, with examples")
    func leftOutByReason() throws {
        let photos = (0..<7).map { #"{"path": "\#($0).tga", "reason": "format not known"}"# }
        let others = [#"{"path": "a.txt", "reason": "not a photo"}"#]
        let json = (photos + others).joined(separator: ",")
        let files = try WireJSON.decoder().decode([FileFailure].self, from: Data("[\(json)]".utf8))
        #expect(
            FailureLines.leftOut(files) == [
                "Skipped 8 files:",
                "  format not known (7): 0.tga, 1.tga, 2.tga, 3.tga, 4.tga, … and 2 more (--json lists them all)",
                "  not a photo (1): a.txt",
            ])
        #expect(FailureLines.leftOut([]).isEmpty)
    }

    @Test("a photo in the trash is shown with its ID and never with a date in the future")
    func trashed() throws {
        let json = """
            {"path": "v.mp4", "md5": "0123456789abcdef0123456789abcdef", "size": 5, "modified": "2026-11-01T00:00:00Z",
            "type": "video/mp4", "trashed": "2026-11-24T12:00:00Z", "keptUntil": "2026-12-24T12:30:00Z",
            "isInLibrary": true}
            """
        let photo = try WireJSON.decoder().decode(LibraryPhoto.self, from: Data(json.utf8))
        for (time, moment, days) in [("11:50:00", "11:50", 30), ("12:30:00", "12:00", 30)] {
            let now = try Date("2026-11-24T\(time)Z", strategy: .iso8601)
            #expect(
                TrashStrings.remainingTime(of: photo, at: now)
                    == "id 01234567, trashed 2026-11-24 \(moment) UTC, \(days) days left, still in your library")
        }
        #expect(
            TrashStrings.remainingTime(of: photo, at: try Date("2027-01-01T00:00:00Z", strategy: .iso8601))?.hasSuffix(
                "can be purged, still in your library")
                == true)
    }

    @Test("a version is shown with its state and the devices that added and replaced it")
    func versions() throws {
        let fields = """
            "path": "v.mp4", "md5": "0123456789abcdef0123456789abcdef", "size": 5, "modified": "2026-11-01T00:00:00Z",
            "type": "video/mp4"
            """
        let trashed = #""trashed": "2026-11-24T12:00:00Z", "keptUntil": "2026-12-24T12:30:00Z""#
        let now = try Date("2026-11-24T12:30:00Z", strategy: .iso8601)
        for (more, shown) in [
            ("", "id 01234567, current"), (#", "addedBy": "Bob's Mac""#, "id 01234567, current, added on “Bob's Mac”"),
            (
                #", \#(trashed), "isReplaced": true, "trashedBy": "a\u0007", "addedBy": "b""#,
                "id 01234567, replaced 2026-11-24 12:00 UTC on “a\u{FFFD}”, 30 days left, added on “b”"
            ),
        ] {
            let photo = try WireJSON.decoder().decode(LibraryPhoto.self, from: Data("{\(fields)\(more)}".utf8))
            #expect(TrashStrings.version(photo, at: now) == shown)
            let again = try WireJSON.decoder().decode(LibraryPhoto.self, from: try WireJSON.encoder().encode(photo))
            #expect(again == photo)
        }
    }

    @Test(
        "a backup reports one thumbnail and several thumbnails, and previews",
        arguments: [
            (1, 0, "1 thumbnail.", "1 thumbnail:"), (2, 1, "2 thumbnails and 1 preview.", "2 thumbnails:"),
            (2, 2, "2 thumbnails and 2 previews.", "2 thumbnails:"),
        ])
    func thumbnails(_ count: Int, _ previews: Int, _ created: String, _ failed: String) throws {
        let files = (1...count).map { "\($0).jpg" }
        let json = """
            {"folder": "p", "foundFiles": 3, "uploadedFiles": 3, "uploadedBytes": 9, "alreadyStoredFiles": 0, "addedFiles": 0,
            "archivedFiles": 0, "failures": [], "keptBeside": [], "leftOut": [], "thumbnails": \(count), "previews": \(previews),
            "photosWithoutThumbnail": \(count), "filesWithoutThumbnail": \(files), "lacksThumbnailTool": false, "videosWithoutTool": 2, "sameNames": [],
            "filesWithoutRoom": 0}
            """
        let report = try WireJSON.decoder().decode(BackupReport.self, from: Data(json.utf8))
        let lines = BackupResult(folders: [report]).text.split(separator: "\n")
        let missing =
            "No thumbnails of 2 videos: \(ThumbnailToolLines.missingForVideos) To create them later:  photolala previews"
        #expect(
            lines.dropFirst().map(String.init) == ["Created \(created)", "Failed to create \(failed)"]
                + files.map { "  \($0)" } + [missing])
    }

    @Test(
        "a backup names photos in the trash, or that it did not compare with it",
        arguments: [
            ("", 2, ["Not compared with the library's trash. To compare:  photolala status --into x p"]),
            ("", 0, []), (#""filesInTrash": [],"#, 2, []),
            (
                #""filesInTrash": ["a.jpg"],"#, 2,
                ["In the trash, not in the library: 1 file. To restore:  photolala trash restore PATH", "  a.jpg"]
            ),
        ])
    func inTrash(_ member: String, _ stored: Int, _ expected: [String]) throws {
        let json = """
            {"folder": "p", "destination": "x", "foundFiles": 3, "uploadedFiles": 3, "uploadedBytes": 9, \(member)
            "alreadyStoredFiles": \(stored), "addedFiles": 0, "archivedFiles": 0, "failures": [], "keptBeside": [], "leftOut": [],
            "thumbnails": 0, "previews": 0, "photosWithoutThumbnail": 0, "lacksThumbnailTool": false, "videosWithoutTool": 0,
            "sameNames": [], "filesWithoutRoom": 0}
            """
        let report = try WireJSON.decoder().decode(BackupReport.self, from: Data(json.utf8))
        #expect(BackupResult(folders: [report]).text.split(separator: "\n").dropFirst().map(String.init) == expected)
    }

    @Test(
        "a sync without changes names what waits, and an emptied folder is not too many missing files",
        arguments: [
            (
                2, 0, 0, 3,
                "p: nothing to do in this direction; 2 files in the folder.\nOne direction only: 3 not downloaded."
            ),
            (
                2, 0, 2, 0,
                "p: nothing was synced; 2 files in the folder.\n2 files changed recently; deferred to the next sync."
            ),
            (2, 0, 0, 0, "p: up to date; 2 files in the folder."),
            (
                0, 3, 0, 0,
                "p: nothing was synced; 0 files in the folder.\nThe folder is empty now. Check that its disk is mounted.\n"
            ),
            (1, 30, 0, 0, "p: nothing was synced; 1 file in the folder.\nMany files went missing within two days"),
        ])
    func sync(_ local: Int, _ held: Int, _ waiting: Int, _ omitted: Int, _ words: String) throws {
        let json = """
            {"folder": "p", "isDryRun": false, "localFiles": \(local), "addedFiles": 0, "takenOutFiles": 0, "movedInLibrary": 0,
            "uploadedFiles": 0, "uploadedBytes": 0, "downloadedFiles": 0, "downloadedBytes": 0, "movedFiles": 0,
            "trashedInLibrary": [], "trashedHere": [], "heldInLibrary": \(held), "heldHere": 0,
            "isAnotherFolder": false, "ignoredFiles": 0, "omittedDownloads": \(omitted), "omittedUploads": 0,
            "omittedRemovals": 0, "waitingFiles": \(waiting), "keptBeside": [], "failures": [], "archivedFiles": 0, "leftOut": [], "sameNames": [], "lacksThumbnailTool": false, "photosWithoutThumbnail": 0, "videosWithoutTool": 0, "filesWithoutRoom": 0}
            """
        let report = try WireJSON.decoder().decode(SyncReport.self, from: Data(json.utf8))
        #expect(SyncResult(report: report).text.hasPrefix(words), "\(SyncResult(report: report).text)")
    }

    @Test("the files that a sync adds are counted once: as added, moved or taken out of the trash")
    func added() throws {
        let json = """
            {"folder": "p", "isDryRun": false, "localFiles": 6, "addedFiles": 6, "takenOutFiles": 1, "movedInLibrary": 2,
            "uploadedFiles": 3, "uploadedBytes": 9, "downloadedFiles": 0, "downloadedBytes": 0, "movedFiles": 0,
            "trashedInLibrary": [], "trashedHere": [], "heldInLibrary": 0, "heldHere": 0, "isAnotherFolder": false,
            "ignoredFiles": 0, "omittedDownloads": 0, "omittedUploads": 0, "omittedRemovals": 0, "waitingFiles": 0,
            "keptBeside": [], "failures": [], "archivedFiles": 0, "leftOut": [], "sameNames": [],
            "lacksThumbnailTool": false, "photosWithoutThumbnail": 0, "videosWithoutTool": 0, "filesWithoutRoom": 0}
            """
        let report = try WireJSON.decoder().decode(SyncReport.self, from: Data(json.utf8))
        #expect(
            SyncResult(report: report).text
                == "p: 3 added to the library, 1 taken out of the library's trash, 2 moved in the library; "
                + "9 B uploaded, 0 B downloaded.")
    }

    @Test(
        "a sync of a folder of ignored files names the patterns, and one with other skipped files does not",
        arguments: [
            (#"{"path": "a.jpg", "code": "ignored", "reason": "ignored"}"#, true),
            (
                #"{"path": "a.jpg", "code": "ignored", "reason": "ignored"}, "#
                    + #"{"path": "b", "code": "empty", "reason": "file is empty"}"#, false
            ),
        ])
    func ignored(_ leftOut: String, _ isNamed: Bool) throws {
        let json = """
            {"folder": "p", "isDryRun": true, "localFiles": 0, "addedFiles": 0, "takenOutFiles": 0, "movedInLibrary": 0, "uploadedFiles": 0,
            "uploadedBytes": 0, "downloadedFiles": 0, "downloadedBytes": 0, "movedFiles": 0, "trashedInLibrary": [],
            "trashedHere": [], "heldInLibrary": 0, "heldHere": 0, "isAnotherFolder": false, "ignoredFiles": 0,
            "omittedDownloads": 0, "omittedUploads": 0, "omittedRemovals": 0, "waitingFiles": 0, "keptBeside": [],
            "failures": [], "archivedFiles": 0, "leftOut": [\(leftOut)], "sameNames": [], "lacksThumbnailTool": false,
            "photosWithoutThumbnail": 0, "videosWithoutTool": 0, "filesWithoutRoom": 0}
            """
        let report = try WireJSON.decoder().decode(SyncReport.self, from: Data(json.utf8))
        let words =
            isNamed
            ? "p: nothing to sync, because patterns exclude everything in the folder. Dry run: nothing was changed."
            : "p: up to date; 0 files in the folder."
        #expect(SyncResult(report: report).text.hasPrefix(words), "\(SyncResult(report: report).text)")
    }

    @Test("control characters in external text are replaced")
    func harmless() {
        let shown = Terminal.sanitized("a\u{1B}[2Jb\nc\u{202E}d é 写真 👩‍💻")
        #expect(shown == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d é 写真 👩‍💻")
    }
}
