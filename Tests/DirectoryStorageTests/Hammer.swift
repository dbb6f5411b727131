import Foundation
import PhotolalaTesting

/// A process of `store-hammer`, which stands beside the tests.
final class Hammer {
    private let process: ChildProcess
    private let input = Pipe()
    private let output = Pipe()

    init(_ arguments: String...) throws {
        let products = URL(
            fileURLWithPath: CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0])
        var folder = products.deletingLastPathComponent()
        while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
        process = try ChildProcess(
            folder.appendingPathComponent("store-hammer"), arguments, input: input, output: .pipe(output))
    }

    /// The next line, which the process may take its time for; `nil` when it has ended.
    func line() -> String? {
        var bytes: [UInt8] = []
        while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    /// Everything that the process still says until it ends, in whole lines.
    func rest() throws -> [String] {
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    func go() throws { try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8)) }

    /// Ends the process at once, as a crash would.
    func kill() { process.send(SIGKILL) }
}
