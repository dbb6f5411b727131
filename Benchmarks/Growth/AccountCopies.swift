import DirectoryStorage
import Foundation
import Logging
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Copies an account of a data folder, with its binding and devices, until the folder has that many accounts more. The
/// copies have ids of their own; no identity opens them. Adds markers of spent challenges that expired an hour ago. No
/// server may run on the folder.
///
///     benchmark-growth FOLDER COUNT MARKERS
@main
struct AccountCopies {
    private let store: DirectoryObjectStore
    private let user: String
    private let binding: String
    /// The account's objects: what follows the user's id in the key, and the text.
    private let objects: [(name: String, text: String)]

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[2]), let markers = Int(arguments[3]) else {
            throw ObjectStoreError.denied("usage: benchmark-growth FOLDER COUNT MARKERS")
        }
        let store = try await DirectoryObjectStore.open(
            at: URL(fileURLWithPath: arguments[1]), now: { Date() }, randomness: .system,
            logger: Logger(label: "benchmark-growth") { _ in SwiftLogNoOpLogHandler() })
        let copies = try await AccountCopies(of: store)
        try await copies.write(count) { try await copies.copy() }
        try await copies.write(markers) { try await copies.putMarker() }
        try await store.close()
    }

    private init(of store: DirectoryObjectStore) async throws {
        self.store = store
        let identity = try await store.list(prefix: "identities/", after: nil, limit: 1).objects.first?.key
        guard let identity, let binding = try await Self.text(identity, in: store),
            let user = binding.firstMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/)
        else { throw ObjectStoreError.denied("the folder has no account") }
        (self.user, self.binding) = (String(user.0), binding)
        let prefix = "accounts/\(user.0)/"
        var objects: [(name: String, text: String)] = []
        for object in try await store.list(prefix: prefix, after: nil, limit: 1000).objects {
            guard let text = try await Self.text(object.key, in: store) else { continue }
            objects.append((String(object.key.description.dropFirst(prefix.count)), text))
        }
        self.objects = objects
    }

    private static func text(_ key: ObjectKey, in store: DirectoryObjectStore) async throws -> String? {
        try await store.get(key).map { String(buffer: $0.bytes) }
    }

    private func write(_ count: Int, _ put: @escaping @Sendable () async throws -> Void) async throws {
        let tasks = 64
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask { for _ in stride(from: task, to: count, by: tasks) { try await put() } }
            }
            try await group.waitForAll()
        }
    }

    private func copy() async throws {
        let copy = UserID(uuid: Randomness.system.uuid()).description
        for (name, text) in objects { try await put("accounts/\(copy)/\(name)", text, copy) }
        try await put("identities/apple/copy-\(copy)", binding, copy)
    }

    private func putMarker() async throws {
        let id = Randomness.system.uuid().description
        let key = StorageLayout.usedMarker(expiry: Int(Date().timeIntervalSince1970) - 3600, id: id)
        try await store.put(ObjectKey(known: key), ByteBuffer(string: id), if: .absent)
    }

    private func put(_ key: String, _ text: String, _ copy: String) async throws {
        let bytes = ByteBuffer(string: text.replacingOccurrences(of: user, with: copy))
        try await store.put(ObjectKey(known: key), bytes, if: .absent)
    }
}
