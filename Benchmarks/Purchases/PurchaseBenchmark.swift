import AppStore
import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Subscriptions
import UseCases

/// Measures the cost of purchases and quota on the server, on an in-memory store: verifying Apple's signatures,
/// processing a notification, reserving uploads. Test data is signed before the measurement.
///
///     benchmark-purchases [CALLS]
@main
enum PurchaseBenchmark {
    static func main() async throws {
        let calls = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1000
        let clock = TestClock()
        let store = try TestAppStore(clock: clock)
        let purchase = TestPurchase(TestAppStore.premium, id: "1000", at: clock.now)
        let signed = try (0..<calls).map {
            try store.transaction(purchase, signedAt: clock.now.addingTimeInterval(-Double($0)))
        }
        // Alternates, so that other load on the machine affects all measurements.
        for round in 1...3 {
            say("round \(round)")
            let verifier = try store.verifier()
            _ = try await verifier.transaction(signed[0])
            try await measure("a transaction, certificates known", calls) { number in
                _ = try await verifier.transaction(signed[number])
            }
            try await measure("a transaction, certificates new", min(calls, 200)) { number in
                _ = try await store.verifier().transaction(signed[number])
            }
            try await notifications(store, clock, calls)
            for together in [1, 16] { try await reservations(calls, together: together) }
        }
    }

    /// Measures notifications for one subscription, with three signatures each.
    private static func notifications(_ store: TestAppStore, _ clock: TestClock, _ calls: Int) async throws {
        let service = try await TestService.make(try store.options(), clock: clock)
        let bob = try await service.signUp(.apple, "bob").user.serviceUserID
        var purchase = TestPurchase(TestAppStore.premium, id: "2000", at: clock.now, for: bob)
        let bodies = try (0..<calls).map { number in
            if number > 0 { purchase = purchase.renewed(id: "\(2000 + number)", days: 0.001) }
            return try store.notification(
                "DID_RENEW", id: UUID(), transaction: try store.transaction(purchase),
                renewal: try store.renewal(of: purchase))
        }
        try await measure("a notification of a renewal", calls) {
            try await service.services.subscriptions.handleAppStoreNotification(bodies[$0])
        }
    }

    /// Measures upload reservations of the given batch size.
    private static func reservations(_ calls: Int, together: Int) async throws {
        var options = TestService.Options()
        options.reservesUploads = true
        let service = try await TestService.make(options)
        let session = try await service.signUp(.apple, "bob").session
        let caller = try await service.caller(session)
        let requests = (0..<calls).map { number in
            UploadRequest(
                md5: ContentDigest(of: ByteBuffer(integer: number)).description, size: 1000, kind: .photo)
        }
        _ = try await service.services.uploads.reserveUpload(requests[0], caller: caller)
        _ = service.store.drainRequests()
        try await measure("an upload reserved, \(together) at once", calls / together, each: together) { number in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in 0..<together {
                    let request = requests[number * together + place]
                    group.addTask { _ = try await service.services.uploads.reserveUpload(request, caller: caller) }
                }
                try await group.waitForAll()
            }
        }
        let writes = service.store.drainRequests().count { $0.kind == .write }
        say("    \(writes) writes for \(calls / together * together) uploads")
    }

    private static func measure(
        _ name: String, _ calls: Int, each: Int = 1, _ call: @Sendable (Int) async throws -> Void
    ) async throws {
        let time = try await ContinuousClock().measure {
            for number in 0..<calls { try await call(number) }
        }
        let microseconds = time / .microseconds(calls * each)
        say("  \(name.padding(toLength: 36, withPad: " ", startingAt: 0)) \(String(format: "%7.1f µs", microseconds))")
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
