import ArgumentParser
import Foundation
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Output and options of a recall") struct RecallTests {
    /// Returns the result of a report with these members; the other members are empty.
    private func result(_ members: String) throws -> RecallResult {
        let usual = """
            {"isDryRun": false, "speed": "standard", "days": 7, "wantedFiles": 9, "readableFiles": 0, "archivedFiles": 0, \
            "archivedBytes": 0, "askedBackFiles": 0, "askedBackBytes": 0, "onItsWayFiles": 0, "options": [], "failures": []}
            """
        let parts = try [usual, "{\(members)}"].map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let report = try JSONSerialization.data(withJSONObject: parts[0].merging(parts[1]) { $1 })
        return RecallResult(report: try JSONDecoder().decode(RecallReport.self, from: report))
    }

    @Test("a dry run prints photos, time and cost of each speed")
    func estimate() throws {
        let result = try result(
            """
            "isDryRun": true, "archivedFiles": 3, "archivedBytes": 5000000, "onItsWayFiles": 2, "readableFiles": 4, \
            "options": [{"speed": "bulk", "files": 3, "seconds": 172800, "dollars": 0.0001}, \
            {"speed": "standard", "files": 3, "seconds": 43200, "dollars": 1.234}, \
            {"speed": "expedited", "files": 1, "seconds": 300, "dollars": 0}]
            """)
        #expect(result.status == .done)
        #expect(
            result.text == """
                3 photos archived (5 MB). Dry run: nothing was requested.
                  bulk       within 48 hours, costs the operator about $0.01 or less
                  standard   within 12 hours, costs the operator about $1.23
                  expedited  within 5 minutes, costs the operator about $0.00, only 1 photo
                Costs are AWS list prices in us-east-1, with copies that stay available for 7 days.
                2 photos requested earlier, retrieval in progress.
                4 photos available now.
                """)
    }

    @Test("a recall prints when the photos are available, and the command that restores them")
    func requested() throws {
        let done = try result(#""askedBackFiles": 2, "askedBackBytes": 900, "comeAgainAfter": 43200"#)
        #expect(done.status == .done)
        #expect(
            done.text == """
                2 photos (900 B) requested from the archive, usually available in 12 hours.
                Then restore them:  photolala restore --to FOLDER
                """)
        #expect(try result(#""readableFiles": 9"#).text == "No photos requested.\n9 photos available now.")
        #expect(try result(#""wantedFiles": 0"#).text == "No matching photos. Nothing was requested.")
    }

    @Test("photos that could not be requested make the status 2, and the cause of an early stop another one")
    func failures() throws {
        let some = try result(#""failures": [{"path": "a\u001b.jpg", "reason": "not found in the photo store"}]"#)
        #expect(some.status == .someFilesFailed)
        #expect(some.text.contains("Failed to request 1 photo:\n  a\u{FFFD}.jpg: not found"))
        let stopped = try result(#""stopped": {"code": "temporarily_unavailable", "detail": "No response."}"#)
        #expect(stopped.status == .tryLater && stopped.text.hasSuffix("Run the same command again to resume."))
    }

    @Test("the options select photos, speed and days")
    func options() throws {
        let command = try #require(
            try Photolala.parseAsRoot([
                "recall", "2023", "--type", "video", "--speed", "bulk", "--days", "30", "--dry-run",
            ])
                as? RecallCommand)
        #expect(command.speed == .bulk && command.days == 30 && command.dryRun)
        #expect(command.wanted.filter.paths == ["2023"])
        for wrong in [["--days", "0"], ["--days", "366"], ["--speed", "fast"]] {
            #expect {
                _ = try Photolala.parseAsRoot(["recall"] + wrong)
            } throws: { error in
                Photolala.exitCode(for: error).rawValue == 64
            }
        }
    }

    @Test("a failed sync of archived photos names the command that requests them")
    func sync() throws {
        let report = """
            {"folder": "/f", "isDryRun": false, "localFiles": 1, "addedFiles": 0, "takenOutFiles": 0, "movedInLibrary": 0, "uploadedFiles": 0, \
            "uploadedBytes": 0, "downloadedFiles": 0, "downloadedBytes": 0, "movedFiles": 0, "trashedInLibrary": [], \
            "trashedHere": [], "heldInLibrary": 0, "heldHere": 0, "isAnotherFolder": false, "ignoredFiles": 0, \
            "omittedDownloads": 0, "omittedUploads": 0, "omittedRemovals": 0, "waitingFiles": 0, \
            "keptBeside": [], "failures": [{"path": "a.jpg", "reason": "archived"}], "archivedFiles": 1, "leftOut": [], \
            "sameNames": [], "lacksThumbnailTool": false, "photosWithoutThumbnail": 0, "videosWithoutTool": 0, "filesWithoutRoom": 0}
            """
        let result = SyncResult(report: try JSONDecoder().decode(SyncReport.self, from: Data(report.utf8)))
        #expect(
            result.text.contains("To request archived photos:  photolala recall PATH  (time and cost first: --dry-run)")
        )
        #expect(result.status == .someFilesFailed)
    }
}
