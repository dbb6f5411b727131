import Foundation

/// Runs a case at the store requests of an operation, where each run has a fault or a pause at one of them.
///
/// A case runs at every third request, from one that its number determines, so that the cases of a test together reach
/// all of them. `PHOTOLALA_EVERY_REQUEST=1` runs each case at each request, as `make simulate` does.
package struct RequestSweep {
    private static let reachesAll = ProcessInfo.processInfo.environment["PHOTOLALA_EVERY_REQUEST"] == "1"

    private let first: Int
    private let step: Int

    /// - Parameter number: The number of the case. Cases that differ in one argument have consecutive numbers.
    package init(case number: Int) {
        step = Self.reachesAll ? 1 : 3
        first = number % step
    }

    /// - Parameter run: Performs one run, and returns whether the operation reached the request.
    /// - Returns: A request that the operation did not reach: the number of its requests, or up to two more.
    @discardableResult
    package func perform(_ run: (Int) async throws -> Bool) async throws -> Int {
        var (request, isReached) = (first, try await run(first))
        if !isReached, first > 0 {
            // An operation with fewer requests is run at its first one.
            (request, isReached) = (0, try await run(0))
        }
        while isReached {
            request += step
            isReached = try await run(request)
        }
        return request
    }
}

extension CaseIterable where Self: Equatable {
    /// The position in `allCases`.
    package var caseNumber: Int { Self.allCases.enumerated().first { $0.element == self }?.offset ?? 0 }
}
