import AWSServices
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import S3Protocol
import Testing

extension OnSeaweedFS {
    /// An account over its limit on a bucket: its client deletes photos, and nothing can be stored below its prefixes
    /// for long.
    @Suite struct FullAccountJourneyTests {
        private static let counting = ["PHOTOLALA_USAGE_COUNT_EVERY_SECONDS": "1"]

        private static func limit(_ bytes: Int) -> [String: String] {
            counting.merging(["PHOTOLALA_TIERS": #"{"free":{"storageLimit":\#(bytes)}}"#]) { $1 }
        }

        @Test
        func
            `An account over its limit purges photos, and its credentials stop to write once its records are too many`()
            async throws
        {
            try await SeaweedFS.run { engine in
                try await withTemporaryFolder { folder in
                    let roomy = try await ServerProcess(
                        on: engine, transport: engine.transport, variables: Self.limit(1_000_000))
                    let laptop = CommandLineDevice(
                        profile: folder.appendingPathComponent("laptop"), server: roomy.address)
                    let photos = folder.appendingPathComponent("photos")
                    try PhotoFolder.make(6, in: photos)
                    #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
                    let backup = try await laptop.run("backup", photos.path, "--no-thumbnails")
                    #expect(backup.status == 0, "\(backup.errors)")
                    try await waitUntil("the photos are counted", every: .milliseconds(250)) {
                        try await stored(laptop) > 100_000
                    }
                    #expect(roomy.stop() == 0)
                    let full = try await ServerProcess(
                        on: engine, transport: engine.transport, onPortsOf: roomy, variables: Self.limit(50_000))
                    // The count and its record in the account are two writes, and the stop may come between them.
                    try await waitUntil("the account is over its limit", every: .milliseconds(250)) {
                        try await credentials(laptop).access == .readDelete
                    }
                    try await purge(laptop, engine)
                    try await fill(laptop, engine)
                    #expect(full.stop() == 0)
                }
            }
        }

        private func purge(_ laptop: CommandLineDevice, _ engine: SeaweedFS) async throws {
            let put = try await laptop.run("trash", "put", "2023/Summer/IMG_0.jpg", "--yes")
            #expect(put.status == 0, "\(put.errors)")
            let purged = try await laptop.run("trash", "purge", "--now", "--yes")
            #expect(purged.status == 0, "\(purged.errors)")
            let left = try await engine.store().list(prefix: "photos/", after: nil, limit: 100).objects
            #expect(left.count == 5)
        }

        /// Stores objects that are not catalogs under names of catalogs, beyond the allowance, until writes are
        /// refused.
        private func fill(_ laptop: CommandLineDevice, _ engine: SeaweedFS) async throws {
            let first = try await credentials(laptop)
            #expect(first.access == .readDelete)
            #expect(first.expiration.timeIntervalSinceNow <= 900)
            let junk = ObjectKey(known: "\(first.prefixes[2]).photolala.junk")
            let store = try engine.store(with: first)
            for number in 0..<5 {
                let key = ObjectKey(known: "\(junk)\(number)")
                try await store.put(key, ByteBuffer(repeating: 7, count: 7 << 20), if: .always)
            }
            try await waitUntil("new credentials write nothing", every: .milliseconds(250)) {
                let store = try await engine.store(with: credentials(laptop))
                do {
                    try await store.put(junk, ByteBuffer(string: "x"), if: .always)
                    return false
                } catch ObjectStoreError.denied {
                    return true
                }
            }
            let last = try await engine.store(with: credentials(laptop))
            for number in 0..<5 { try await last.delete(ObjectKey(known: "\(junk)\(number)"), if: .always) }
            try await waitUntil("new credentials write catalogs again", every: .milliseconds(250)) {
                let store = try await engine.store(with: credentials(laptop))
                return (try? await store.put(junk, ByteBuffer(string: "x"), if: .always)) != nil
            }
        }

        private func credentials(_ laptop: CommandLineDevice) async throws -> StorageCredentials {
            let run = try await laptop.run("credentials", "--json")
            return try WireJSON.decoder().decode(StorageCredentials.self, from: run.output)
        }

        private func stored(_ laptop: CommandLineDevice) async throws -> Int {
            let usage = try await laptop.run("whoami", "--json").json()["usage"] as? [String: Any]
            return usage?["storageUsed"] as? Int ?? 0
        }
    }
}

extension SeaweedFS {
    fileprivate func store(with given: StorageCredentials) throws -> S3ObjectStore {
        try store(
            as: AWSCredentials(
                accessKeyID: given.accessKeyID, secretAccessKey: given.secretAccessKey,
                sessionToken: given.sessionToken))
    }
}
