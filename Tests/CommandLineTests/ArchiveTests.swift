import ArgumentParser
import Foundation
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Output and options for archived photos") struct ArchiveTests {
    private func request(_ arguments: String...) throws -> ArchiveRequest? {
        try ArchiveOptions.parse(arguments).request
    }

    @Test("photos are requested from the archive only with --request-archived, with the given options")
    func options() throws {
        #expect(try request() == nil)
        #expect(try request("--request-archived") == ArchiveRequest())
        var request = ArchiveRequest()
        (request.speed, request.days) = (.bulk, 30)
        #expect(try self.request("--request-archived", "--speed", "bulk", "--days", "30") == request)
    }

    private func restored(_ archived: String, _ more: String) throws -> RestoreResult {
        let text = """
            {"folder": "/r", "isDryRun": false, "wantedFiles": 3, "restoredFiles": 1, "restoredBytes": 5, \
            "alreadyThereFiles": 0, "failures": [], "damagedFiles": 0, "keptBeside": [], "archived": \(archived), \(more)}
            """
        return RestoreResult(report: try JSONDecoder().decode(RestoreReport.self, from: Data(text.utf8)))
    }

    @Test("a restore lists archived photos, exits with status 2 and names the next command")
    func restore() throws {
        let left = try restored(
            #"[{"code": "photo_archived", "path": "a\u001b.jpg", "state": "archived", "reason": "it is archived"}]"#,
            #""askedBackFiles": 0"#)
        #expect(left.status == .someFilesFailed)
        #expect(
            left.text.contains("1 file not restored (archived):\n  a\u{FFFD}.jpg: it is"))
        #expect(left.text.contains("photolala recall --dry-run"))
        #expect(left.text.contains("--request-archived") && !left.text.contains("again"))
        let asked = try restored(
            """
            [{"code": "photo_archived", "path": "a.jpg", "state": "askedBack", "reason": "asked"}, \
            {"code": "photo_archived", "path": "b.jpg", "state": "onItsWay", "reason": "before"}]
            """, #""askedBackFiles": 1, "comeAgainAfter": 43200"#)
        #expect(asked.text.contains("1 file requested from the archive. Run the same command again in 12 hours."))
        #expect(!asked.text.contains("--request-archived") && asked.status == .someFilesFailed)
        let soon = try restored(
            #"[{"code": "photo_archived", "path": "a.jpg", "state": "askedBack", "reason": "asked"}]"#,
            #""askedBackFiles": 1, "comeAgainAfter": 300"#)
        #expect(soon.text.contains("again in 5 minutes."))
        let coming = try restored(
            #"[{"code": "photo_archived", "path": "a.jpg", "state": "onItsWay", "reason": "before"}]"#,
            #""askedBackFiles": 0"#)
        #expect(coming.text.contains("Run the same command again later"))
    }

    private func verified(_ checked: Int, of wanted: Int, archived: [String]) throws -> VerifyResult {
        let text = """
            {"wantedFiles": \(wanted), "checkedFiles": \(checked), "checkedBytes": 5, "failures": [], \
            "damagedFiles": 0, "archived": \(archived)}
            """
        return VerifyResult(report: try JSONDecoder().decode(VerificationReport.self, from: Data(text.utf8)))
    }

    @Test("a verification reports archived photos separately from intact and damaged ones")
    func verify() throws {
        let some = try verified(30, of: 100, archived: ["a.jpg", "b.jpg"])
        #expect(some.status == .done)
        #expect(some.text.contains("Verified 30 of 100 photos (5 B): no damage found."))
        #expect(some.text.contains("2 photos not verified (archived):\n  a.jpg\n  b.jpg"))
        #expect(
            some.text.contains(
                "  b.jpg\nTo request archived photos:  photolala recall PATH  (time and cost first: --dry-run)"))
        #expect(some.text.contains("If 1 in 10 of the photos that are not archived were damaged"))
        let none = try verified(0, of: 2, archived: ["a.jpg", "b.jpg"])
        #expect(none.status == .someFilesFailed && none.text.contains("nothing verified"))
        #expect(try verified(98, of: 100, archived: ["a.jpg", "b.jpg"]).text.contains("If 1 in") == false)
    }
}
