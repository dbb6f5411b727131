import Foundation
import PhotolalaTesting
import ServiceWiring
import Synchronization
import Testing

@testable import photolala_server

/// The file with the progress of a legacy import, for Prometheus.
@Suite struct ImportMetricsTests {
    @Test("the file is there from the beginning, and ends with the final counts, also of an import that fails")
    func file() async throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.subpath("import.prom"))
        let metrics = ImportMetrics(file: file)
        let older = try await LegacyStore.make()
        let first = Mutex("")
        let summary = try await metrics.reporting {
            first.withLock { $0 = (try? String(contentsOf: file, encoding: .utf8)) ?? "" }
            return try await older.legacyImport(progress: metrics.progress) { _ in }.apply()
        }
        #expect(first.withLock { $0 }.contains(#"photolala_legacy_import_objects{state="imported"} 0"#))
        let imported = summary.claimsMoved + summary.filesMoved
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(imported > 4 && text.contains("photolala_legacy_import_objects{state=\"imported\"} \(imported)\n"))
        #expect(text.contains("photolala_legacy_import_objects{state=\"failed\"} \(summary.findings)\n"))
        #expect(text.contains("photolala_legacy_import_objects{state=\"remaining\"} 0\n"))

        try FileManager.default.removeItem(at: file)
        await #expect(throws: CancellationError.self) { try await metrics.reporting { throw CancellationError() } }
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test("a folder that does not exist fails before the import begins")
    func missingFolder() async throws {
        let metrics = ImportMetrics(file: URL(fileURLWithPath: "/nonexistent/import.prom"))
        let hasBegun = Mutex(false)
        await #expect(throws: StartProblem.self) {
            try await metrics.reporting { hasBegun.withLock { $0 = true } }
        }
        #expect(!hasBegun.withLock { $0 })
    }
}
