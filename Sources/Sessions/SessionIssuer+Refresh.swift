import Foundation
import ObjectStorage
import PhotolalaAPI

/// Whose refresh token was presented, before anything was read.
package struct PresentedRefreshToken: Sendable {
    package let user: UserID
    package let device: DeviceID
    package let session: SessionID
    /// Which use of the session it is, from 0.
    package let counter: UInt32
}

extension SessionIssuer {
    /// Reads a refresh token; nothing is asked of the store.
    /// - Throws: `invalidToken` for one that we did not make.
    package func present(_ text: String) throws(SessionError) -> PresentedRefreshToken {
        guard let token = RefreshToken.check(text, keyRing) else { throw .invalidToken("refresh token") }
        return PresentedRefreshToken(
            user: token.user, device: token.device, session: token.session, counter: token.counter
        )
    }

    /// Uses a refresh token: the session's counter moves by compare-and-swap, so one of several users at once wins and
    /// the others are given the same successor, as is one whose answer was lost, within the grace and while the
    /// successor is unused. Any other used token ends the session. One write.
    /// - Throws: `ended`, `reused`.
    package func refresh(
        _ token: PresentedRefreshToken, on device: Stored<DeviceRecord>?, _ standing: SessionStanding
    ) async throws(SessionError) -> Session {
        let (time, act) = (now(), randomness.uuid())
        var isReuse = false
        let changed = try await devices.change(token.device, of: token.user, from: device) {
            (record) throws(SessionError) in
            isReuse = record?.hasNoted(act) ?? false
            if isReuse { return nil }
            var session = try self.standing(token.session, on: record, standing)
            guard var record else { throw .ended }
            if token.counter == session.counter {
                session.counter += 1
                session.rotatedAt = time
                record.session = session
            } else if isLostAnswer(token, session, at: time) {
                return nil
            } else {
                isReuse = true
                record.session = nil
                record.note(.refreshTokenReused, at: time, id: act)
            }
            record.trim(standing.chained(token.device))
            record.lastSeenAt = time
            return record
        }
        guard !isReuse else { throw .reused }
        guard let session = changed?.value.session else { throw .ended }
        return try answer(session, user: token.user, device: token.device, at: time)
    }

    private func isLostAnswer(_ token: PresentedRefreshToken, _ session: SessionRecord, at time: Date) -> Bool {
        UInt64(token.counter) + 1 == UInt64(session.counter)
            && time.timeIntervalSince(session.rotatedAt) <= Self.grace
    }
}
