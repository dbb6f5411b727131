import Foundation
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Output of the creation of previews") struct PreviewsResultTests {
    private func result(missing: Int, created: Int, colored: Int) throws -> PreviewsResult {
        let report = """
            {"missing": \(missing), "created": \(created), "colored": \(colored), "notCreated": [], "skipped": 0, \
            "archived": [], "failures": [], "lacksThumbnailTool": false}
            """
        return PreviewsResult(report: try JSONDecoder().decode(PreviewReport.self, from: Data(report.utf8)))
    }

    @Test("added colors are counted, also if no previews are missing")
    func colors() throws {
        let only = try result(missing: 0, created: 0, colored: 1200)
        #expect(only.text == "No previews are missing.\nAdded the placeholder colors of 1200 photos.")
        #expect(only.status == .done)
        let both = try result(missing: 2, created: 2, colored: 1)
        #expect(both.text == "Created previews of 2 of 2 photos.\nAdded the placeholder colors of 1 photo.")
        #expect(try result(missing: 2, created: 2, colored: 0).text == "Created previews of 2 of 2 photos.")
    }
}
