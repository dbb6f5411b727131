import Foundation
import ObjectStorage
import PhotolalaAPI
import S3Protocol
import Secrets
import StorageAccess
import Transport

/// A bucket accessed with users' own credentials, which sign each request.
package struct S3UserStores: UserStores {
    private let settings: S3Settings
    private let transport: any HTTPTransport
    private let pause: Backoff
    private let now: @Sendable () -> Date

    package init(
        settings: S3Settings, transport: any HTTPTransport, pause: Backoff, now: @escaping @Sendable () -> Date
    ) {
        self.settings = settings
        self.transport = transport
        self.pause = pause
        self.now = now
    }

    package func store(of user: UserID, _ credentials: StorageCredentials) -> any ObjectStore & DatedDeletion {
        S3ObjectStore(
            settings: settings, credentials: StaticCredentials(AWSCredentials(credentials)), transport: transport,
            pause: pause, now: now)
    }
}

extension AWSCredentials {
    init(_ credentials: StorageCredentials) {
        self.init(
            accessKeyID: credentials.accessKeyID, secretAccessKey: credentials.secretAccessKey,
            // Long-lived keys have none.
            sessionToken: credentials.sessionToken.isEmpty ? nil : credentials.sessionToken)
    }
}
