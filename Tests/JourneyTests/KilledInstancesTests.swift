import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

extension OnSeaweedFS {
    /// Instances, and the engine itself, are killed under load: acknowledged writes survive.
    @Suite struct KilledInstancesTests {
        /// The people whose sign-up was acknowledged, and their accounts.
        private final class AcknowledgedAccounts: Sendable {
            private let users = Mutex<[Int: UserID]>([:])
            private let (counts, announce) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))

            var all: [Int: UserID] { users.withLock { $0 } }

            func add(_ person: Int, _ user: UserID) {
                announce.yield(
                    users.withLock { users in
                        users[person] = user
                        return users.count
                    })
            }

            /// Waits until the number of acknowledged people reaches the goal.
            func reach(_ goal: Int) async {
                if all.count >= goal { return }
                for await count in counts where count >= goal { return }
            }
        }

        @Test("an instance killed repeatedly under load loses no acknowledged account, nor do the others")
        func copy() async throws {
            try await underLoad { copies, reached in
                for round in 1...5 {
                    await reached(round * 15)
                    copies.kill(1 + round % 2)
                    await reached(round * 15 + 8)
                    try await copies.restart(1 + round % 2)
                }
            }
        }

        @Test("an engine killed repeatedly under load loses no acknowledged account")
        func engine() async throws {
            try await underLoad { copies, reached in
                for round in 1...3 {
                    await reached(round * 20)
                    await copies.engine.kill()
                    try await copies.engine.restart()
                }
            }
        }

        /// Signs people up at all instances while `happen` runs, and then looks up every acknowledged person.
        /// - Parameter happen: receives a function that waits for a number of acknowledgements.
        private func underLoad(
            _ happen: @escaping @Sendable (ServerInstances, @Sendable (Int) async -> Void) async throws -> Void
        ) async throws {
            try await ServerInstances.run { copies in
                let acknowledged = AcknowledgedAccounts()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for worker in 0..<6 {
                        group.addTask { await load(copies, worker, acknowledged) }
                    }
                    try await happen(copies) { await acknowledged.reach($0) }
                    group.cancelAll()
                }
                let users = acknowledged.all
                #expect(users.count >= 60)
                for (number, user) in users {
                    let signedIn = try await copies.person(number).signIn(at: copies[number])
                    #expect(signedIn.user.serviceUserID == user)
                }
                // A person whose answer was lost may have an account: one more than acknowledged is not an error.
                #expect(try await copies.check() >= users.count)
            }
        }

        /// Signs up one person after another until it is cancelled, on any instance that responds.
        private func load(_ copies: ServerInstances, _ worker: Int, _ acknowledged: AcknowledgedAccounts) async {
            var number = 1 + worker * 10_000
            while !Task.isCancelled {
                number += 1
                let person = copies.person(number)
                guard let token = try? await person.token(at: copies[0]),
                    let signedIn = try? await person.signUp(at: copies[number], token: token)
                else {
                    // No instance is available at the moment; an immediate retry would only waste processor time.
                    try? await Task.sleep(for: .milliseconds(20))
                    continue
                }
                acknowledged.add(number, signedIn.user.serviceUserID)
            }
        }
    }
}
