import Foundation
import NIOCore
import PhotoCatalog

/// Reads and merges two overlapping catalogs with `PhotoLibrary` and with the `sqlite3` shell, in turn, and searches others.
///
///     benchmark-catalog [ENTRIES] [ROUNDS]
///     benchmark-catalog merge ONE OTHER [MERGED]
///     benchmark-catalog search [PHOTOS]
@main
enum CatalogBenchmark {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "merge" {
            try await merge(Array(arguments.dropFirst()))
            return
        }
        if arguments.first == "search" {
            try await search(count: Int(arguments.dropFirst().first ?? "") ?? 100_000)
            return
        }
        let (entries, rounds) = (Int(arguments.first ?? "") ?? 1_000_000, Int(arguments.dropFirst().first ?? "") ?? 3)
        let folder = FileManager.default.temporaryDirectory.appending(path: "benchmark-catalog-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (one, other) = (folder.appending(path: "one.csv").path, folder.appending(path: "other.csv").path)
        try MadeCatalog(first: 0, count: entries).write(to: one)
        try MadeCatalog(first: entries / 2, count: entries).write(to: other)
        try verify(one, other, in: folder)
        try compare(one, other, in: folder, rounds: rounds)
        var library = try AddedPhotos()
        let costs = try await library.measure(entries: entries, commits: 300).sorted()
        let form = "100 photos more: %.3f s CPU at the median of %d commits, %.3f s at worst"
        say(String(format: form, costs[costs.count / 2], costs.count, costs[costs.count - 1]))
        try await search(count: 100_000)
    }

    /// Searches libraries with paths in ASCII, in Japanese, and with an accent.
    private static func search(count: Int) async throws {
        for folder in ["Camera", "夏休み", "Été"] {
            let library = try SearchedPhotos(count: count, folder: folder)
            for words in ["img_1234", "may 2010", "canon r17", "nothing"] {
                let (time, found) = try await library.measure(words, rounds: 9)
                say(
                    String(
                        format: "search of %d photos in %@ for %@: %.1f ms, %d found", count, folder, words, time, found
                    ))
            }
            guard let camera = CameraName("Canon EOS R17") else { continue }
            for words in ["", "may 2010"] {
                let (time, found) = try await library.measure(words, camera: camera, rounds: 9)
                let form = "photos of one camera in %@ for '%@', with the others: %.1f ms, %d found"
                say(String(format: form, folder, words, time, found))
            }
            say(String(format: "the most used cameras: %.1f ms", library.measureCameras(rounds: 9)))
        }
    }

    /// Reads two files and merges them. Writes the result if a path is given.
    private static func merge(_ files: [String]) async throws {
        var merged = Catalog()
        for file in files.prefix(2) {
            let parallel = ProcessInfo.processInfo.activeProcessorCount
            merged.join(try await CatalogCSV.decode(try read(file), parallel: parallel).rows)
        }
        FileHandle.standardOutput.write(Data("\(merged.count)\n".utf8))
        guard files.count > 2 else { return }
        var file = CatalogFile()
        file.rows = merged
        try Data(CatalogCSV.encode(file).readableBytesView).write(to: URL(filePath: files[2]))
    }

    /// Reads directly into the buffer, so that no file is in memory twice.
    private static func read(_ file: String) throws -> ByteBuffer {
        let handle = try FileHandle(forReadingFrom: URL(filePath: file))
        var bytes = ByteBuffer()
        bytes.reserveCapacity(Int(try handle.seekToEnd()))
        try handle.seek(toOffset: 0)
        while true {
            let count = try bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: 1 << 20) { free in
                let count = Glibc.read(handle.fileDescriptor, free.baseAddress, free.count)
                guard count >= 0 else { throw POSIXError(.EIO) }
                return count
            }
            guard count > 0 else { return bytes }
        }
    }

    /// Verifies that both produce the same catalog, byte for byte.
    private static func verify(_ one: String, _ other: String, in folder: URL) throws {
        let (ours, theirs) = (folder.appending(path: "ours.csv"), folder.appending(path: "theirs.csv"))
        _ = try Child.run([CommandLine.arguments[0], "merge", one, other, ours.path])
        _ = try Child.run(["sqlite3"], input: SQLiteMerge.script(one, other, merged: theirs.path), in: folder)
        guard try Data(contentsOf: ours) == Data(contentsOf: theirs) else { throw Difference() }
        say("Both come to the same \(try Data(contentsOf: ours).count) bytes.")
    }

    private struct Difference: Error {}

    private static func compare(_ one: String, _ other: String, in folder: URL, rounds: Int) throws {
        var (ours, theirs) = ([Child.Cost](), [Child.Cost]())
        // Alternates, so that other load on the machine affects both.
        for _ in 0..<rounds {
            ours.append(try Child.run([CommandLine.arguments[0], "merge", one, other]))
            theirs.append(try Child.run(["sqlite3"], input: SQLiteMerge.script(one, other), in: folder))
        }
        say("medians of \(rounds)   wall s   CPU s   peak MiB")
        for (name, costs) in [("photolala", ours), ("sqlite3", theirs)] {
            let median = Child.Cost.median(of: costs)
            let columns = [median.wall, median.cpu].map { String(format: "%8.2f", $0) }.joined()
            say(
                name.padding(toLength: 13, withPad: " ", startingAt: 0) + columns
                    + String(format: "%11.0f", median.peak))
        }
        let (fast, slow) = (Child.Cost.median(of: ours), Child.Cost.median(of: theirs))
        say(String(format: "%.1f times as fast, with 1/%.1f of the CPU", slow.wall / fast.wall, slow.cpu / fast.cpu))
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
