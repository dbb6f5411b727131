import Foundation
import Testing

/// A separate process for a test that may crash: a crash ends no other test, and its input is known.
enum FuzzedProcess {
    /// The file in the folder with a summary for the person who runs the test.
    static let summary = "summary"

    /// Writes a summary for the person who runs the test.
    static func report(_ words: String, in folder: String) throws {
        try words.write(toFile: "\(folder)/\(summary)", atomically: false, encoding: .utf8)
    }

    /// - Parameter body: runs the process, with a folder for its records and findings.
    static func run(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
        let told = try? String(contentsOfFile: "\(folder)/\(summary)", encoding: .utf8)
        if let told, !told.isEmpty { print(told) }
        for record in try FuzzRecord.read(in: folder) { Issue.record("\(record)") }
    }
}
