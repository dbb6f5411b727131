import AWSServices
import Foundation
import NIOCore
import ObjectStorage
import S3Protocol
import Secrets
import Synchronization
import Testing

/// A store with scripted responses.
struct ScriptedStore {
    let transport: FakeTransport
    let store: S3ObjectStore
    let waits = RecordedWaits()

    init(
        _ replies: [FakeTransport.Reply], endpoint: String = "http://127.0.0.1:9000",
        addressing: S3Settings.Addressing = .path,
        credentials: any CredentialSource = StaticCredentials(
            AWSCredentials(accessKeyID: "AKID", secretAccessKey: "secret", sessionToken: "token")
        )
    ) throws {
        transport = FakeTransport(replies)
        var settings = try #require(
            S3Settings(endpoint: endpoint, region: "us-east-1", bucket: "photolala-dev", addressing: addressing)
        )
        settings.attempts = 3
        settings.partSize = 8
        let waits = waits
        let pause = Backoff(randomness: Randomness { [UInt8](repeating: 0, count: $0) }) { waits.add($0) }
        store = S3ObjectStore(
            settings: settings, credentials: credentials, transport: transport, pause: pause,
            now: { Date(timeIntervalSince1970: 1_440_938_160) }
        )
    }
}

/// Counts delays instead of waiting.
final class RecordedWaits: Sendable {
    private let all = Mutex<[Duration]>([])

    var count: Int { all.withLock { $0.count } }
    var durations: [Duration] { all.withLock { $0 } }
    func add(_ duration: Duration) { all.withLock { $0.append(duration) } }
}

/// Returns a key for tests.
func key(_ text: String) throws -> ObjectKey { try #require(ObjectKey(text)) }
