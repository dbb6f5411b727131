import Foundation
import JSONCoding
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// One call of the operator API, as it is recorded before it is carried out.
package struct OperatorCall: Codable, Sendable, Equatable {
    package let at: Date
    /// The id and name of the operator's key.
    package let key: String
    package let operatorName: String
    /// The operation, such as `account.show`.
    package let action: String
    /// The account, as a keyed hash: the log outlives the account. `nil` for an operation on none.
    package let account: String?
    /// The job or day that the call names; `nil` for other calls.
    package let about: String?
    /// The operator's reason.
    package let reason: String

    package init(
        at: Date, key: String, operatorName: String, action: String, account: String?, about: String?, reason: String
    ) {
        (self.at, self.key, self.operatorName) = (at, key, operatorName)
        (self.action, self.account, self.about, self.reason) = (action, account, about, reason)
    }
}

/// The record of all calls of the operator API: one object each, in folders of one day (UTC).
package struct OperatorLog: Sendable {
    /// How many days a call stays in the log.
    package static let retentionDays = 400
    /// The most calls on a page.
    package static let maximumPage = 500

    private let writes: ConditionalWrites
    private let randomness: Randomness

    package init(store: any ObjectStore, retry: RetryPolicy, randomness: Randomness) {
        writes = ConditionalWrites(store: store, retry: retry)
        self.randomness = randomness
    }

    /// Calls of one day.
    package struct Page: Sendable {
        /// The oldest first.
        package let calls: [OperatorCall]
        /// The number of records that could not be read.
        package let unreadable: Int
        /// Where the next page begins; `nil` at the end of the day.
        package let next: String?
    }

    /// Records a call. One write.
    package func record(_ call: OperatorCall) async throws(OperatorError) {
        let milliseconds = Int64((call.at.timeIntervalSince1970 * 1000).rounded(.down))
        let id = "\(milliseconds)-\(Hex.encode(randomness.bytes(8)))"
        let key = ObjectKey(known: StorageLayout.operatorCall(day: Self.day(of: call.at), id: id))
        guard let bytes = try? CompactJSON.encode(call) else { throw .store(.bodyFailed("encoding failed")) }
        do {
            _ = try await writes.put(key, ByteBuffer(bytes: bytes), if: .absent)
        } catch {
            throw .store(error)
        }
    }

    /// Returns calls of a day. One listing, and one read per call.
    /// - Parameters:
    ///   - day: `yyyy-mm-dd`.
    ///   - after: `next` of the page before; `nil` for the first.
    ///   - limit: 1 to `maximumPage`.
    package func calls(on day: String, after: String?, limit: Int) async throws(OperatorError) -> Page {
        let prefix = "\(StorageLayout.operatorCalls)\(day)/"
        do throws(ObjectStoreError) {
            let page = try await writes.store.list(
                prefix: prefix, after: after.map { "\(prefix)\($0)" }, limit: min(max(limit, 1), Self.maximumPage))
            var (calls, unreadable) = ([OperatorCall](), 0)
            for object in page.objects {
                guard let stored = try await writes.store.get(object.key) else { continue }
                guard
                    let call = try? CompactJSON.decode(OperatorCall.self, from: Array(stored.bytes.readableBytesView))
                else {
                    unreadable += 1
                    continue
                }
                calls.append(call)
            }
            let last = page.objects.last.map { String($0.key.description.dropFirst(prefix.count)) }
            return Page(calls: calls, unreadable: unreadable, next: page.isTruncated ? last : nil)
        } catch {
            throw .store(error)
        }
    }

    /// Removes the calls of days that are over the retention; returns their number.
    package func removeExpired(at now: Date) async throws(ObjectStoreError) -> Int {
        let oldest = Self.day(of: now.addingTimeInterval(-TimeInterval(Self.retentionDays) * 86_400))
        var removed = 0
        while true {
            let page = try await writes.store.list(prefix: StorageLayout.operatorCalls, after: nil, limit: 500)
            for object in page.objects {
                let day = object.key.description.dropFirst(StorageLayout.operatorCalls.count).prefix { $0 != "/" }
                guard day < oldest else { return removed }
                try await writes.delete(object.key, if: .always)
                removed += 1
            }
            guard page.isTruncated else { return removed }
        }
    }

    /// Returns whether a text is a day as the log names it.
    package static func isDay(_ text: String) -> Bool {
        (try? Date("\(text)T00:00:00Z", strategy: .iso8601)).map { day(of: $0) } == text
    }

    /// Returns the day of a time, in UTC.
    package static func day(of time: Date) -> String { String(time.ISO8601Format().prefix(10)) }
}
