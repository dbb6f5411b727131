import Testing

@testable import PhotoSync
@testable import PhotolalaClient

struct PhotosWithoutToolTests {
    @Test(arguments: [(0, true, nil), (2, false, nil), (2, true, 2)] as [(Int, Bool, Int?)])
    func `a report counts stored photos without pictures only if pictures were requested and the tool is missing`(
        count: Int, lacksTool: Bool, expected: Int?
    ) {
        var summary = BackupSummary()
        summary.thumbnails.lackingTool = count
        let report = BackupReport(
            named: "x", summary: summary, isDryRun: false, lacksThumbnailTool: lacksTool, stopped: nil, storage: nil)
        #expect(report.photosWithoutTool == expected)
    }
}
