import ForeignExports
import Foundation
import Testing

@testable import PhotoSync
@testable import PhotolalaClient

struct ServiceImportReportTests {
    private func report<Facts>(_ facts: (ForeignFindings) -> Facts) -> ServiceImportReport<Facts> {
        var findings = ForeignFindings()
        (findings.mediaFiles, findings.hidden, findings.captions) = (3, 2, 1)
        findings.withoutDescription = ["b", "a"]
        findings.unresolvedAlbumPhotos = ["x"]
        let summary = ForeignImportSummary(
            backup: BackupSummary(), findings: findings, refused: [], missingParts: ["part"])
        let photos = BackupReport(
            named: "x", summary: summary.backup, isDryRun: false, lacksThumbnailTool: false, stopped: nil, storage: nil)
        return ServiceImportReport(photos: photos, contents: ExportContents(summary), facts: facts(findings))
    }

    @Test("the JSON of a report has its facts beside the photos, and gives an equal report")
    func json() throws {
        let iCloud = report { ICloudFacts($0) }
        let data = try JSONEncoder().encode(iCloud)
        let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(members["photos"] is [String: Any] && members["foundFiles"] as? Int == 3)
        #expect(members["hidden"] as? Int == 2 && members["unresolvedAlbumPhotos"] as? [String] == ["x"])
        #expect(members["withoutDescription"] as? [String] == ["a", "b"] && members["captions"] == nil)
        #expect(try JSONDecoder().decode(ICloudImportReport.self, from: data) == iCloud)
        let ente = report { EnteFacts($0) }
        #expect(try JSONDecoder().decode(EnteImportReport.self, from: JSONEncoder().encode(ente)) == ente)
        #expect(ente.facts.captions == 1)
    }

    @Test("the services' readers, names and commands are distinct")
    func services() {
        let all = PhotoService.allCases
        #expect(Set(all.map(\.name)).count == all.count && Set(all.map(\.subcommand)).count == all.count)
        #expect(all.map { PhotoService($0.reader) } == all)
    }
}
