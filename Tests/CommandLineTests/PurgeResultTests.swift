import Foundation
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Output of a purge of the trash") struct PurgeResultTests {
    private func result(_ fields: String) throws -> PurgeResult {
        let text = #"{"files": 5, "bytes": 900, "contents": 4, \#(fields)}"#
        return PurgeResult(report: try JSONDecoder().decode(PurgeReport.self, from: Data(text.utf8)))
    }

    @Test(
        "a purge reports complete, partial, unknown, interrupted and declined deletions",
        arguments: [
            (#""isDone": true, "deletedContents": 4, "failedContents": 0, "unknownContents": 0"#, 0, "4 of 4"),
            (
                #""isDone": true, "deletedContents": 3, "failedContents": 1, "unknownContents": 0"#, 2,
                "Failed to delete 1. Run the same command again."
            ),
            (
                #""isDone": false, "deletedContents": 2, "failedContents": 0, "unknownContents": 2"#, 2,
                "again in 40 minutes"
            ),
            (
                #"""
                "isDone": false, "deletedContents": 2, "failedContents": 0, "unknownContents": 0, "stopped": \#
                {"code": "temporarily_unavailable", "detail": "The line is dead."}
                """#, 7, "Interrupted: The line is dead."
            ),
            (
                #""isDone": false, "deletedContents": 0, "failedContents": 0, "unknownContents": 0"#, 0,
                "Nothing was deleted."
            ),
        ] as [(String, Int32, String)])
    func endings(fields: String, status: Int32, words: String) throws {
        let result = try result(fields)
        #expect(result.status.rawValue == status)
        #expect(result.text.contains(words), "\(result.text)")
    }
}
