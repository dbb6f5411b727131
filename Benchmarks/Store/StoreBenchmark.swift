import DirectoryStorage
import Foundation
import Logging
import NIOCore
import NIOPosix
import ObjectStorage
import Secrets

/// Measures durable conditional creates of small objects from 32 tasks: the directory store against one synced file per
/// object, on the same disk, alternating within one run. Then measures reads of small objects, and large writes.
///
///     benchmark-store [FOLDER] [ROUNDS]
@main
enum StoreBenchmark {
    static let tasks = 32
    static let bytes = ByteBuffer(repeating: UInt8(ascii: "x"), count: 200)

    static func main() async throws {
        let arguments = CommandLine.arguments
        let parent = arguments.count > 1 ? arguments[1] : FileManager.default.currentDirectoryPath
        let rounds = arguments.count > 2 ? Int(arguments[2]) ?? 5 : 5
        let folder = "\(parent)/benchmark-store-\(ProcessInfo.processInfo.processIdentifier)"
        let store = try await DirectoryObjectStore.open(
            at: URL(fileURLWithPath: "\(folder)/store"), now: { Date() }, randomness: .system,
            logger: Logger(label: "benchmark-store") { _ in SwiftLogNoOpLogHandler() }
        )
        try FileManager.default.createDirectory(atPath: "\(folder)/files", withIntermediateDirectories: true)
        let pool = NIOThreadPool(numberOfThreads: tasks)
        pool.start()
        let files = FilePerObject(folder: "\(folder)/files", pool: pool)
        try await compare(store, files, rounds: rounds)
        try await measureReads(store)
        try await measureLarge(store)
        try await store.close()
        try await pool.shutdownGracefully()
        try FileManager.default.removeItem(atPath: folder)
    }

    private static func compare(_ store: DirectoryObjectStore, _ files: FilePerObject, rounds: Int) async throws {
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for round in 0..<rounds {
            theirs.append(try await rate(100) { try await files.create("\(round)-\($0)-\($1)", bytes) })
            ours.append(
                try await rate(1000) { task, number in
                    let key = ObjectKey(known: "identities/benchmark/\(round)-\(task)-\(number)")
                    _ = try await store.put(key, bytes, if: .absent)
                })
        }
        report("one synced file per object", theirs, "creates/s")
        report("directory store", ours, "creates/s")
        let ratios = zip(ours, theirs).map { $0 / $1 }
        say(
            "ratio of the medians: \(format(median(ours) / median(theirs), digits: 1)), ratio in each round: "
                + ratios.map { format($0, digits: 1) }.joined(separator: " "))
    }

    private static func measureReads(_ store: DirectoryObjectStore) async throws {
        let read: @Sendable (Int, Int) async throws -> Void = { task, number in
            let key = ObjectKey(known: "identities/benchmark/0-\(task % 32)-\(number % 1000)")
            guard try await store.get(key) != nil else { throw ObjectStoreError.corrupted("\(key)") }
        }
        _ = try await rate(100, read)
        report("reads of small objects, 32 tasks", [try await rate(1500, read)], "reads/s")
        report("reads of small objects, 1 task", [try await rate(5000, tasks: 1, read)], "reads/s")
        report(
            "creates of small objects, 1 task",
            [
                try await rate(500, tasks: 1) { _, number in
                    let key = ObjectKey(known: "identities/benchmark/alone-\(number)")
                    _ = try await store.put(key, bytes, if: .absent)
                }
            ], "creates/s")
    }

    private static func measureLarge(_ store: DirectoryObjectStore) async throws {
        let photo = ByteBuffer(repeating: 7, count: 4 << 20)
        let written = try await rate(8, tasks: 8) { task, number in
            let key = ObjectKey(known: "photos/benchmark/\(task)-\(number).dat")
            _ = try await store.write(key, ObjectBody(photo), attributes: [:], if: .absent)
        }
        report("durable writes of 4 MiB, 8 tasks", [written * 4], "MiB/s")
        let read = try await rate(8, tasks: 8) { task, number in
            let key = ObjectKey(known: "photos/benchmark/\(task)-\(number).dat")
            guard let reading = try await store.read(key, range: nil) else {
                throw ObjectStoreError.corrupted("\(key)")
            }
            for try await _ in reading.body {}
        }
        report("streamed reads of 4 MiB, 8 tasks", [read * 4], "MiB/s")
    }

    /// Returns the operations per second of many concurrent tasks.
    private static func rate(
        _ each: Int, tasks: Int = tasks, _ act: @escaping @Sendable (Int, Int) async throws -> Void
    ) async throws -> Double {
        let clock = ContinuousClock()
        let time = try await clock.measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<tasks {
                    group.addTask { for number in 0..<each { try await act(task, number) } }
                }
                try await group.waitForAll()
            }
        }
        return Double(each * tasks) / (time / .seconds(1))
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func report(_ name: String, _ values: [Double], _ unit: String) {
        let rounds = values.map { format($0) }.joined(separator: " ")
        say("\(name): \(format(median(values))) \(unit)" + (values.count > 1 ? " (rounds: \(rounds))" : ""))
    }

    private static func format(_ value: Double, digits: Int = 0) -> String { String(format: "%.\(digits)f", value) }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
