import Foundation
import Logging
import Synchronization
import Testing

@testable import Monitoring

/// The codes of log lines, compared with the calls in the sources and with the operator's manual.
@Suite struct LogCodeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Returns the calls that log at `info` or above, from the name of the logger to the first argument after the level.
    private static func calls() throws -> [(file: String, code: String?)] {
        let sources = root.appending(path: "Sources")
        // Without an anchor: for Unicode `context.logger` is one word.
        let call = /ogger\.(?:info|notice|warning|error|critical|log)\(\s*(?:level:[^,]*,\s*)?(\.\w+,)?/
        return try FileManager.default.subpathsOfDirectory(atPath: sources.path)
            .filter { $0.hasSuffix(".swift") && $0 != "Monitoring/LogCode.swift" }
            .flatMap { file in
                try String(contentsOf: sources.appending(path: file), encoding: .utf8).matches(of: call).map {
                    (file, $0.1.map { String($0.dropFirst().dropLast()) })
                }
            }
    }

    @Test("every log line from info on has a code, and every code is used")
    func sources() throws {
        let calls = try Self.calls()
        #expect(calls.count > 60)
        for call in calls { #expect(call.code != nil, "\(call.file)") }
        let used = Set(calls.compactMap(\.code))
        for code in LogCode.allCases { #expect(used.contains("\(code)"), "\(code) is unused") }
    }

    @Test("the manual lists every code once, below a heading or a document that says what to do")
    func manual() throws {
        let manual = try String(contentsOf: Self.root.appending(path: "docs/operations.md"), encoding: .utf8)
        let start = try #require(manual.range(of: "`event` is stable"))
        let end = try #require(manual.range(of: "\n## ", range: start.upperBound..<manual.endIndex))
        let list = manual[start.upperBound..<end.lowerBound]
        #expect(
            list.matches(of: /`([^`]+)`/).map { String($0.1) }.sorted() == LogCode.allCases.map(\.rawValue).sorted())
        for link in list.matches(of: /\]\(#([^)]+)\)/) {
            let headings = manual.matches(of: /(?m)^#+ (.+)$/).map { heading in
                heading.1.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
                    .replacing(" ", with: "-")
            }
            #expect(headings.contains(String(link.1)), "\(link.1)")
        }
    }

    @Test("a code has lower-case words with hyphens and is in the line's metadata beside the given values")
    func line() throws {
        for code in LogCode.allCases { #expect(code.rawValue.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil) }
        let lines = Mutex<[Logger.Metadata]>([])
        let logger = Logger(label: "test") { _ in Handler { line in lines.withLock { $0.append(line) } } }
        logger.warning(.jobOverdue, "job overdue", metadata: ["job": "scrub"])
        logger.info(.request, "request")
        #expect(lines.withLock(\.self) == [["event": "job-overdue", "job": "scrub"], ["event": "request"]])
    }

    @Test("a line below the logger's level evaluates neither message nor metadata")
    func filtered() {
        var logger = Logger(label: "test") { _ in Handler { _ in Issue.record("logged") } }
        logger.logLevel = .error
        func fail() -> String {
            Issue.record("evaluated")
            return ""
        }
        logger.info(.request, "\(fail())", metadata: ["value": "\(fail())"])
    }

    private struct Handler: LogHandler {
        let record: @Sendable (Logger.Metadata) -> Void
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        init(_ record: @escaping @Sendable (Logger.Metadata) -> Void) { self.record = record }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { record(event.metadata ?? [:]) }
    }
}
