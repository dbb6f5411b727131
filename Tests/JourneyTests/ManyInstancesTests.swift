import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

extension OnSeaweedFS {
    /// Three instances on one bucket: one account, one session and one state on all of them.
    @Suite struct ManyInstancesTests {
        private static let variables = ProcessInfo.processInfo.environment
        /// `make copies` uses 200.
        private static let identities = variables["PHOTOLALA_COPIES_IDENTITIES"].flatMap { Int($0) } ?? 12
        private static let contenders = 16

        @Test("identities that each sign up 16 times concurrently on three instances get one account each")
        func race() async throws {
            try await ServerInstances.run { copies in
                // Eight identities at a time: more would only wait for the processors.
                let created = try await withThrowingTaskGroup(of: Int.self) { group in
                    var total = 0
                    for number in 1...Self.identities {
                        if number > 8 { total += try await group.next() ?? 0 }
                        group.addTask { try await signUps(of: copies.person(number), number, copies) }
                    }
                    return try await group.reduce(total, +)
                }
                #expect(created == Self.identities)
                #expect(try await copies.check() == Self.identities)
                let accounts = try await accounts(copies)
                #expect(accounts == Self.identities, "losers of the race removed their accounts")
            }
        }

        /// Returns how many of one identity's sign-ups created the account; all others report an existing account.
        private func signUps(of person: Person, _ number: Int, _ copies: ServerInstances) async throws -> Int {
            let token = try await person.token(at: copies[0])
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for contender in 0..<Self.contenders {
                    group.addTask { try await person.signUpStatus(at: copies[number + contender], token: token) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(
                answers.count { $0 == 201 } == 1 && answers.count { $0 == 409 } == Self.contenders - 1, "\(answers)")
            return answers.count { $0 == 201 }
        }

        private func accounts(_ copies: ServerInstances) async throws -> Int {
            let store = try copies.engine.store()
            var users: Set<Substring> = []
            var after: String?
            repeat {
                let page = try await store.list(prefix: StorageLayout.accounts, after: after, limit: 1000)
                for object in page.objects { users.insert(object.key.description.split(separator: "/")[1]) }
                after = page.isTruncated ? page.objects.last?.key.description : nil
            } while after != nil
            return users.count
        }

        @Test("concurrent refreshes on all instances return one successor, which stays valid")
        func refresh() async throws {
            try await ServerInstances.run { copies in
                for number in 1...5 {
                    let bob = copies.person(number)
                    let token = try await bob.token(at: copies[0])
                    var session = try #require(try await bob.signUp(at: copies[number], token: token)).session
                    for _ in 0..<2 {
                        let old = session.refreshToken
                        let sessions = try await withThrowingTaskGroup(of: Session?.self) { group in
                            for copy in 0..<6 { group.addTask { try await bob.refresh(old, at: copies[copy]) } }
                            return try await group.reduce(into: []) { $0.append($1) }
                        }
                        let successors = Set(sessions.map { $0?.refreshToken })
                        #expect(successors.count == 1, "all instances returned the same token")
                        session = try #require(sessions.compactMap(\.self).first)
                        #expect(session.refreshToken != old)
                    }
                }
            }
        }

        @Test("a device removed at one instance is rejected by the next request at the others")
        func removedDevice() async throws {
            try await ServerInstances.run { copies in
                let (laptop, phone) = (copies.person(1), copies.person(1).onDevice(2))
                let token = try await laptop.token(at: copies[0])
                let first = try #require(try await laptop.signUp(at: copies[0], token: token)).session
                let second = try await phone.signIn(at: copies[1]).session
                for copy in 0..<3 {
                    let known = try await phone.call(
                        "\(copies[copy])/auth/devices", method: .get, token: second.accessToken)
                    #expect(known.status == 200)
                }
                let removal = "\(copies[0])/auth/devices/\(phone.device.id)"
                let removed = try await laptop.call(removal, method: .delete, token: first.accessToken)
                #expect(removed.status == 204)
                for copy in 0..<3 {
                    let devices = "\(copies[copy])/auth/devices"
                    #expect(try await phone.call(devices, method: .get, token: second.accessToken).status == 401)
                    let keys = "\(copies[copy])/auth/credentials"
                    #expect(try await phone.call(keys, token: second.accessToken).status == 401)
                    #expect(try await phone.refresh(second.refreshToken, at: copies[copy]) == nil)
                    #expect(try await laptop.call(devices, method: .get, token: first.accessToken).status == 200)
                }
            }
        }
    }
}
