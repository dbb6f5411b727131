import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

extension OnSeaweedFS {
    /// Copies, and the engine itself, are killed under load: what was acknowledged is there.
    @Suite struct KilledCopiesTests {
        /// People that were told that they have an account, and which.
        private final class Acknowledged: Sendable {
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

            /// Waits until there are so many.
            func reach(_ goal: Int) async {
                if all.count >= goal { return }
                for await count in counts where count >= goal { return }
            }
        }

        @Test("A copy killed again and again under load loses nothing that it acknowledged, nor do the others")
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

        @Test("An engine killed again and again under load loses nothing that was acknowledged")
        func engine() async throws {
            try await underLoad { copies, reached in
                for round in 1...3 {
                    await reached(round * 20)
                    await copies.engine.kill()
                    try await copies.engine.restart()
                }
            }
        }

        /// Signs people up at all copies while something happens, and then looks for everyone who was acknowledged.
        /// - Parameter happen: is given what waits until so many were acknowledged.
        private func underLoad(
            _ happen: @escaping @Sendable (Copies, @Sendable (Int) async -> Void) async throws -> Void
        ) async throws {
            try await Copies.run { copies in
                let acknowledged = Acknowledged()
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
                // Those whose answer was lost may have an account: one more than were acknowledged is no loss.
                #expect(try await copies.check() >= users.count)
            }
        }

        /// Signs one after the other up until it is cancelled, wherever a copy answers.
        private func load(_ copies: Copies, _ worker: Int, _ acknowledged: Acknowledged) async {
            var number = 1 + worker * 10_000
            while !Task.isCancelled {
                number += 1
                let person = copies.person(number)
                guard let token = try? await person.token(at: copies[0]),
                    let signedIn = try? await person.signUp(at: copies[number], token: token)
                else {
                    // Nobody is there at the moment; asking at once again would only heat the processors.
                    try? await Task.sleep(for: .milliseconds(20))
                    continue
                }
                acknowledged.add(number, signedIn.user.serviceUserID)
            }
        }
    }
}
