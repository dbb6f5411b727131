import AWSServices
import Foundation
import HTTPTypes
import ObjectStorage
import S3Protocol
import Secrets
import Testing

extension AgainstSeaweedFS {
    @Suite("The bucket check")
    struct BucketCheckTests {
        private func fault(
            _ settings: S3Settings? = nil, as credentials: AWSCredentials? = nil, ahead: TimeInterval = 0
        ) async throws -> BucketCheck.Fault? {
            let server = try LiveEngine.current
            let check = BucketCheck(
                settings: try settings ?? server.settings(),
                credentials: StaticCredentials(credentials ?? server.admin),
                transport: server.transport, pause: Backoff(randomness: .system) { try? await Task.sleep(for: $0) },
                now: { Date() + ahead }
            )
            let probe = try #require(ObjectKey("service/check/\(UUID())"))
            let found: BucketCheck.Fault?
            do {
                try await check.run(probe: probe)
                found = nil
            } catch {
                found = error
            }
            #expect(try await server.store().head(probe) == nil, "nothing is left")
            return found
        }

        @Test("a correct bucket has no fault")
        func good() async throws {
            #expect(try await fault() == nil)
        }

        @Test("a missing bucket is reported")
        func noBucket() async throws {
            #expect(try await fault(try LiveEngine.current.settings(bucket: "no-such-bucket")) == .noBucket)
        }

        @Test("a bucket that cannot be listed is reported")
        func unlisting() async throws {
            #expect(try await fault(as: try LiveEngine.current.unlisting) == .listDenied)
        }

        @Test("wrong credentials are reported")
        func wrongKeys() async throws {
            let admin = try LiveEngine.current.admin
            let wrong = AWSCredentials(accessKeyID: admin.accessKeyID, secretAccessKey: "wrong")
            #expect(try await fault(as: wrong) == .credentialsRejected("SignatureDoesNotMatch"))
            let unknown = AWSCredentials(accessKeyID: "AKNOBODY", secretAccessKey: "wrong")
            #expect(try await fault(as: unknown) == .credentialsRejected("InvalidAccessKeyId (HTTP 403)"))
        }

        @Test("Object Lock in compliance mode is reported")
        func objectLock() async throws {
            let server = try LiveEngine.current
            let bucket = RawClient(endpoint: server.endpoint, bucket: "locked", transport: server.transport)
            let enabled = try #require(HTTPField.Name("x-amz-bucket-object-lock-enabled"))
            #expect(try await bucket.send(.put, "", headers: [enabled: "true"], as: server.admin).status == 200)
            let settings = try server.settings(bucket: "locked")
            #expect(try await fault(settings) == nil)
            let configuration = """
                <ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>\
                <Mode>COMPLIANCE</Mode><Days>1</Days></DefaultRetention></Rule></ObjectLockConfiguration>
                """
            #expect(
                try await bucket.send(.put, "", query: "object-lock=", body: configuration, as: server.admin).status
                    == 200)
            #expect(try await fault(settings) == .retainsObjects)
        }

        @Test("a clock difference is reported in seconds")
        func clock() async throws {
            guard case .clockSkew(let seconds) = try await fault(ahead: 7200) else {
                Issue.record("no skew was found")
                return
            }
            // Allows one minute for a busy machine.
            #expect((7140...7260).contains(try #require(seconds)))
        }
    }
}
