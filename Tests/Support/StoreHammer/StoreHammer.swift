import DirectoryStorage
import Foundation
import Logging
import NIOCore
import ObjectStorage
import Secrets

/// A second process for the tests of the directory store. It writes as instructed and prints each acknowledged write on
/// its own line, so that a test can kill the process and then check the store for every line.
///
///     store-hammer race FOLDER NAME COUNT     creates keys 0..<COUNT, prints those that it created
///     store-hammer write FOLDER NAME          creates objects until it is killed, prints each
///     store-hammer overwrite FOLDER NAME      replaces one small and one large object until it is killed
@main
enum StoreHammer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4 else { throw ObjectStoreError.denied("usage: store-hammer ACT FOLDER NAME [COUNT]") }
        let store = try await DirectoryObjectStore.open(
            at: URL(fileURLWithPath: arguments[2]), now: { Date() }, randomness: .system,
            logger: Logger(label: "store-hammer") { _ in SwiftLogNoOpLogHandler() }
        )
        switch arguments[1] {
        case "race": try await race(store, name: arguments[3], count: arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0)
        case "write": try await write(store, name: arguments[3])
        default: try await overwrite(store, name: arguments[3])
        }
        try await store.close()
    }

    private static func race(_ store: DirectoryObjectStore, name: String, count: Int) async throws {
        // Ready; the test starts all processes together.
        acknowledge("ready")
        _ = readLine()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    for kind in ["service/race", "photos/race"] {
                        let key = ObjectKey(known: "\(kind)/\(number)")
                        if (try? await store.put(key, ByteBuffer(string: name), if: .absent)) != nil {
                            acknowledge("won \(key)")
                        }
                    }
                }
            }
        }
        acknowledge("done")
    }

    private static func write(_ store: DirectoryObjectStore, name: String) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0... {
                        let key = ObjectKey(known: "\(task % 2 == 0 ? "service" : "photos")/\(name)/\(task)/\(number)")
                        let bytes = ByteBuffer(string: String(repeating: "\(key) ", count: 3000))
                        try await store.put(key, bytes, if: .absent)
                        acknowledge("\(key)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func overwrite(_ store: DirectoryObjectStore, name: String) async throws {
        for number in 0... {
            for key in ["service/\(name)", "photos/\(name)"] {
                let bytes = ByteBuffer(string: String(repeating: "\(number) ", count: 40_000))
                try await store.put(ObjectKey(known: key), bytes, if: .always)
                acknowledge("\(key) \(number)")
            }
        }
    }

    /// Writes in one call, so that a line is complete even if the process is killed.
    private static func acknowledge(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
