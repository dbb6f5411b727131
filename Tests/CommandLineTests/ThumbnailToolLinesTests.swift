import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing

@testable import photolala

@Suite("What uploads say about pictures that were not created") struct ThumbnailToolLinesTests {
    private static let broken = #""toolFailure": {"isOfVideos": true, "detail": "made nothing"}"#
    private static let brokenLine =
        "Failed: ffmpeg creates no thumbnail of a correct video (made nothing). Reinstall ffmpeg. To create them later:  "
        + "photolala previews"
    private static let failed =
        #""photosWithoutThumbnail": 2, "filesWithoutThumbnail": ["a.jpg", "b\u0007.jpg"]"#
    private static let videosLine =
        "No thumbnails of 1 video: \(ThumbnailToolLines.missingForVideos) To create them later:  photolala previews"
    private static let missingLine =
        "No thumbnails created: \(ThumbnailToolLines.missing) To create them later:  photolala previews"

    private func sync(_ more: String) throws -> [String] {
        let json = """
            {"folder": "p", "isDryRun": false, "localFiles": 6, "addedFiles": 3, "takenOutFiles": 0, "movedInLibrary": 0,
            "uploadedFiles": 3, "uploadedBytes": 9, "downloadedFiles": 0, "downloadedBytes": 0, "movedFiles": 0,
            "trashedInLibrary": [], "trashedHere": [], "heldInLibrary": 0, "heldHere": 0, "isAnotherFolder": false,
            "ignoredFiles": 0, "omittedDownloads": 0, "omittedUploads": 0, "omittedRemovals": 0, "waitingFiles": 0,
            "keptBeside": [], "failures": [], "archivedFiles": 0, "leftOut": [], "sameNames": [], \(more),
            "filesWithoutRoom": 0}
            """
        let report = try WireJSON.decoder().decode(SyncReport.self, from: Data(json.utf8))
        return SyncResult(report: report).text.split(separator: "\n").dropFirst().map(String.init)
    }

    private func backup(_ more: String) throws -> BackupReport {
        let json = """
            {"folder": "p", "foundFiles": 3, "uploadedFiles": 3, "uploadedBytes": 9, "alreadyStoredFiles": 0, "addedFiles": 0,
            "archivedFiles": 0, "failures": [], "keptBeside": [], "leftOut": [], "thumbnails": 0, "previews": 0, \(more),
            "sameNames": [], "filesWithoutRoom": 0}
            """
        return try WireJSON.decoder().decode(BackupReport.self, from: Data(json.utf8))
    }

    @Test("syncs and imports count videos without a picture, and name the tool that is missing or fails")
    func lines() throws {
        let cases: [(String, [String])] = [
            (#""photosWithoutThumbnail": 0, "lacksThumbnailTool": false, "videosWithoutTool": 0"#, []),
            (
                #"\#(Self.failed), "lacksThumbnailTool": false, "videosWithoutTool": 1, \#(Self.broken)"#,
                ["Failed to create 2 thumbnails:", "  a.jpg", "  b\u{FFFD}.jpg", Self.videosLine, Self.brokenLine]
            ),
            (
                #""photosWithoutThumbnail": 0, "lacksThumbnailTool": true, "photosWithoutTool": 2, "videosWithoutTool": 0"#,
                [Self.missingLine]
            ),
        ]
        for (members, expected) in cases {
            #expect(try sync(members) == expected)
            #expect(ThumbnailToolLines.notCreated(by: try backup(members)) == expected)
        }
    }

    @Test("a backup names a tool that fails, and the files")
    func backup() throws {
        let report = try backup(
            #"\#(Self.failed), "lacksThumbnailTool": false, "videosWithoutTool": 0, \#(Self.broken)"#)
        let lines = "Failed to create 2 thumbnails:\n  a.jpg\n  b\u{FFFD}.jpg\n\(Self.brokenLine)"
        #expect(BackupResult(folders: [report]).text.hasSuffix(lines))
    }

    @Test(
        "without the tool, the command is named if photos lack pictures",
        arguments: [("", false), (#", "photosWithoutTool": 3"#, true)])
    func stored(_ member: String, _ isNamed: Bool) throws {
        let members = #""photosWithoutThumbnail": 0, "lacksThumbnailTool": true, "videosWithoutTool": 0\#(member)"#
        let report = try backup(members)
        let line = "No thumbnails created: \(ThumbnailToolLines.missing) To create them later:  "
        #expect(BackupResult(folders: [report]).text.hasSuffix("\n\(line)photolala previews") == isNamed)
        #expect(ThumbnailToolLines.notCreated(by: report) == (isNamed ? [Self.missingLine] : []))
        #expect(try sync(members) == (isNamed ? [Self.missingLine] : []))
    }

    @Test("an import of an export names the command that creates previews, if photos were uploaded", arguments: [0, 2])
    func archive(uploaded: Int) throws {
        let json = """
            {"file": "a.zip", "photos": 2, "uploadedPhotos": \(uploaded), "uploadedBytes": 9, "alreadyStoredPhotos": 0,
            "hiddenPhotos": 0, "favorites": 0, "albums": 0, "failures": [], "missingPhotos": 0, "unlistedFiles": 0,
            "keptBeside": []}
            """
        let report = try WireJSON.decoder().decode(ImportReport.self, from: Data(json.utf8))
        let named = ImportResult(report: report).text.contains("photolala previews")
        #expect(named == (uploaded > 0))
    }

    @Test("doctor says in words how the tool fails")
    func doctor() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("doctor-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let worker = folder.appendingPathComponent("photolala-thumbnailer").path
        func detail(_ script: String) async throws -> String? {
            try Data("#!/bin/sh\nprintf '\\001\\0\\0\\0\\0'; dd bs=2 count=1 >/dev/null 2>&1; \(script)\n".utf8)
                .write(to: URL(fileURLWithPath: worker))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
            let tools = await ThumbnailTools.check(beside: nil, in: folder.path)
            return MachineExamination(tools: tools, watchLimit: nil).findings.first?.detail
        }
        func sentence(_ reason: String) -> String {
            "not created. photolala-thumbnailer creates no thumbnail of a correct photo (\(reason)). Reinstall photolala "
                + "and libvips."
        }
        #expect(try await detail("printf '\\004\\0\\0\\0\\0'; cat >/dev/null") == sentence("made nothing"))
        #expect(try await detail("exit 1") == sentence("no valid reply of the program"))
    }
}
