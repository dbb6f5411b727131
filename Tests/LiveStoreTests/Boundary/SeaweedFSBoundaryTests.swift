import AWSServices
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import S3Protocol
import StorageAccess
import Testing

extension AgainstSeaweedFS {
    @Suite("User credentials on SeaweedFS")
    struct BoundaryTests {
        @Test("the user's own prefixes are accessible")
        func own() async throws { try await BoundaryTable.opensOwnPrefixes(LiveEngine.current) }

        @Test("foreign paths are rejected, except known deviations", arguments: BoundaryTable.foreignPaths)
        func foreign(path: String) async throws {
            guard !SeaweedFSDeviations.openPaths.contains(path) else { return }
            try await BoundaryTable.refusesForeignPath(path, LiveEngine.current)
        }

        @Test("crooked paths do not reach foreign objects", arguments: BoundaryTable.nonCanonicalPaths)
        func crooked(path: String) async throws {
            try await BoundaryTable.confinesNonCanonicalPaths(path, LiveEngine.current)
        }

        @Test("the bare prefix is not accessible")
        func barePrefix() async throws { try await BoundaryTable.refusesBarePrefix(LiveEngine.current) }

        @Test("foreign listings are rejected", arguments: BoundaryTable.foreignListings + BoundaryTable.outerListings)
        func listing(query: String) async throws {
            try await BoundaryTable.refusesForeignListing(query, LiveEngine.current)
        }

        @Test("crooked listings contain only the user's keys", arguments: BoundaryTable.nonCanonicalListings)
        func crookedListing(query: String) async throws {
            try await BoundaryTable.showsOwnKeysAlone(query, LiveEngine.current)
        }

        @Test("batch deletions and part uploads are checked per key")
        func batches() async throws {
            try await BoundaryTable.judgesKeysOneByOne(LiveEngine.current)
            try await BoundaryTable.refusesForeignParts(LiveEngine.current)
        }

        @Test("the access level limits the operations", arguments: [StorageAccessLevel.readWrite, .readDelete, .read])
        func levels(access: StorageAccessLevel) async throws {
            try await BoundaryTable.enforcesAccessLevels(access, LiveEngine.current)
        }

        @Test("credentials without record writes cannot write any key in any spelling, but can read and delete")
        func withheld() async throws {
            let server = try LiveEngine.current
            let fixture = try await BoundaryFixture(server)
            let keys = try await server.credentials(of: fixture.own, .readDelete, mayRecord: false)
            for path in [
                "catalogs/{own}/.photolala.md5", "users/{own}/profile.json", "photos/{own}/y", "thumbnails/{own}/y",
                "CATALOGS/{own}/.photolala.md5", "catalogs/{OWN}/.photolala.md5", "Users/{own}/profile.json",
                "photos/{OWN}/y", "photo%C5%BF/{own}/y", "thumbna%C4%B0ls/{own}/y",
            ] {
                #expect(try await fixture.send(.put, path, body: "x", as: keys).status == 403, "\(path)")
                #expect(try await fixture.send(.post, path, query: "uploads=", as: keys).status == 403, "\(path)")
            }
            #expect(try await fixture.send(.get, "photos/{own}/x", as: keys).status == 200)
            for path in ["photos/{own}/x", "catalogs/{own}/x", "users/{own}/x"] {
                #expect(try await fixture.send(.delete, path, as: keys).status == 204, "\(path)")
            }
        }

        @Test("incomplete or foreign credentials are rejected")
        func keys() async throws { try await BoundaryTable.refusesOtherKeys(LiveEngine.current) }

        @Test("an expired session is rejected")
        func expiry() async throws {
            let server = try LiveEngine.current
            let fixture = try await BoundaryFixture(server)
            let again = try SessionToken(fixture.credentials).signed(with: server.signingKey)
            #expect(
                try await fixture.send(.get, "photos/{own}/x", as: again).status == 200, "signed as the engine does")
            let over = try SessionToken(fixture.credentials, endingAt: Date() - 1).signed(with: server.signingKey)
            let response = try await fixture.send(.get, "photos/{own}/x", as: over)
            #expect(response.status == 403 && response.text.contains("<Code>\(SeaweedFSDeviations.expiredSession)</Code>"))
        }
    }

    @Suite("The token service")
    struct TokenServiceTests {
        private func grant(_ user: UserID, seconds: TimeInterval = 3600) -> StorageGrant {
            StorageGrant(
                user: user, device: DeviceID(uuid: UUID()), session: SessionID(uuid: UUID()), access: .readWrite,
                expiresAt: Date() + seconds
            )
        }

        @Test("credentials have the requested lifetime and the user's name")
        func life() async throws {
            let server = try LiveEngine.current
            let user = UserID(uuid: UUID())
            let issued = try await server.issuer(as: server.service).issue(grant(user, seconds: 1200))
            // Allows one minute for a busy machine.
            #expect((1140...1200).contains(issued.expiration.timeIntervalSinceNow))
            #expect(issued.prefixes == StorageLayout.userPrefixes(user))
            let token = try SessionToken(
                AWSCredentials(accessKeyID: "", secretAccessKey: "", sessionToken: issued.sessionToken))
            #expect(token.name == user.description)
        }

        @Test("the admin, a user and an unknown identity cannot assume the role")
        func trust() async throws {
            let server = try LiveEngine.current
            let user = UserID(uuid: UUID())
            let unknown = AWSCredentials(accessKeyID: "AKNOBODY", secretAccessKey: "wrong")
            for keys in [server.admin, server.unlisting, try await server.credentials(of: user), unknown] {
                let error = await #expect(throws: CredentialIssuerError.self) {
                    try await server.issuer(as: keys).issue(grant(user))
                }
                guard case .refused = error else {
                    Issue.record("\(keys): \(String(describing: error))")
                    continue
                }
            }
        }

        @Test(
            "sessions with an unrestricted policy or without one cannot access the service's objects")
        func widened() async throws {
            let server = try LiveEngine.current
            let fixture = try await BoundaryFixture(server)
            let everything =
                #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:*"],"Resource":["*"]}]}"#
            for policy in [everything, nil] {
                let wide = try await server.assumeRole(policy: policy)
                #expect(try await fixture.send(.put, "photos/{own}/x", body: "own", as: wide).status == 200)
                for path in ["identities/boundary/{own}", "accounts/{own}/account.json", "service/boundary/{own}"] {
                    #expect(try await fixture.send(.get, path, as: wide).status == 403)
                    #expect(try await fixture.send(.put, path, body: "changed", as: wide).status == 403)
                    #expect(try await fixture.send(.delete, path, as: wide).status == 403)
                }
                #expect(try await fixture.send(.get, "", query: "prefix=accounts%2F", as: wide).status == 403)
            }
            try await fixture.checkForeign("wide sessions")
        }

        @Test("the service works with its AWS permissions and can neither see nor write photos")
        func service() async throws {
            let server = try LiveEngine.current
            let service = try await TestService.make(store: server.store(as: server.service))
            try await service.runAllOperations()
            let fixture = try await BoundaryFixture(server)
            for path in ["photos/{other}/x", "thumbnails/{other}/x", "catalogs/{other}/x", "users/{other}/x"] {
                #expect(try await fixture.send(.head, path, as: server.service).status == 403)
                #expect(try await fixture.send(.put, path, body: "changed", as: server.service).status == 403)
            }
        }
    }
}
