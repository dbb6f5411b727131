import ForeignExports
import Foundation
import PhotoCatalog
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
            backup: BackupSummary(), findings: findings, unreadable: [], missingParts: ["part"])
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

    @Test(
        "an import with an empty or damaged photo is incomplete; one with a text is complete",
        arguments: [
            (LeftOutFile.Reason.empty, false), (.unknownFormat, false), (.noPhotoOrVideo, true),
        ])
    func leftOut(_ reason: LeftOutFile.Reason, _ isComplete: Bool) {
        var backup = BackupSummary()
        backup.leftOut = [LeftOutFile(path: LibraryPath(known: "a"), reason: reason)]
        let summary = ForeignImportSummary(
            backup: backup, findings: ForeignFindings(), unreadable: [], missingParts: [])
        let photos = BackupReport(
            named: "x", summary: backup, isDryRun: false, lacksThumbnailTool: false, stopped: nil, storage: nil)
        let report = ServiceImportReport(
            photos: photos, contents: ExportContents(summary), facts: EnteFacts(summary.findings))
        #expect(report.isComplete == isComplete)
    }
}
