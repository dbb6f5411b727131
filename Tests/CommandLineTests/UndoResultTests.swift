import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Output of an undo") struct UndoResultTests {
    private func result(
        _ change: String = "movedToTrash", isDone: Bool = true, files: Int = 2, restored: Int = 2, changed: Int = 0,
        purged: Int = 0, missing: String = "[]", isDryRun: Bool = false
    ) throws -> UndoResult {
        let json = """
            {"isDone": \(isDone), "change": "\(change)", "changedAt": "2026-11-24T12:30:00Z", "files": \(files),
            "bytes": 2000, "restoredFiles": \(restored), "changedFiles": \(changed), "purgedFiles": \(purged),
            "missing": \(missing), "keptBeside": [], "paths": ["2024/a.jpg", "2024/b.jpg"]}
            """
        let report = try WireJSON.decoder().decode(UndoReport.self, from: Data(json.utf8))
        return UndoResult(report: report, isDryRun: isDryRun)
    }

    @Test("an undo names the command and what it did")
    func done() throws {
        let undone = try result()
        #expect(undone.status == .done)
        #expect(undone.text.hasPrefix("Undid trash put of 2026-11-2"))
        #expect(undone.text.hasSuffix(": restored 2 files (2 kB) from the trash."))
        #expect(try result("restored", restored: 0).text.contains("trash restore of"))
        #expect(try result("restored", restored: 0).text.hasSuffix("moved 2 files (2 kB) to the trash."))
        #expect(
            try result("synced", files: 3).text.hasSuffix(
                "restored 2 files from the trash and moved 1 file to it (2 kB)."))
    }

    @Test("files that keep their state are counted, and the status tells")
    func partial() throws {
        let partial = try result(files: 1, restored: 1, changed: 2, purged: 1, missing: #"["a\u001b.jpg"]"#)
        #expect(partial.status == .someFilesFailed)
        #expect(
            partial.text.split(separator: "\n").dropFirst() == [
                "2 files changed since; not touched.", "1 file permanently deleted since.",
                "a\u{FFFD}.jpg is not in the photo store; kept in the trash.",
            ])
        let nothing = try result(isDone: false, files: 0, restored: 0, changed: 2)
        #expect(nothing.status == .failed && nothing.text.hasPrefix("Cannot undo trash put of "))
        #expect(nothing.text.hasSuffix("2 files changed since, or the command failed; not touched."))
    }

    @Test("a dry run and a declined question change nothing")
    func unchanged() throws {
        let dry = try result(isDone: false, changed: 1, isDryRun: true)
        #expect(dry.status == .done && dry.text.hasPrefix("Would undo trash put of "))
        #expect(
            dry.text.split(separator: "\n").dropFirst() == [
                "  2024/a.jpg", "  2024/b.jpg", "1 file changed since; not touched.",
            ])
        #expect(dry.text.contains(": restore 2 files (2 kB) from the trash."))
        #expect(try result(isDone: false).text == "Nothing was changed.")
    }
}
