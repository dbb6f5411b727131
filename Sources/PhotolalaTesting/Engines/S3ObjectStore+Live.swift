import AWSServices
import Foundation
import ObjectStorage
import S3Protocol
import Secrets
import Transport

extension S3ObjectStore {
    /// Creates a store with the system clock and real delays.
    package static func live(
        _ settings: S3Settings, _ credentials: AWSCredentials, _ transport: any HTTPTransport
    ) -> S3ObjectStore {
        S3ObjectStore(
            settings: settings, credentials: StaticCredentials(credentials), transport: transport,
            pause: Backoff(randomness: .system) { try? await Task.sleep(for: $0) }, now: { Date() }
        )
    }
}
