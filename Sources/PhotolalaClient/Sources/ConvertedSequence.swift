import Foundation
import PhotoCatalog
import PhotoSync

/// A sequence whose elements and errors are converted.
struct ConvertedSequence<Input: Sendable, Element: Sendable>: AsyncSequence, Sendable {
    private let base: any AsyncSequence<Input, any Error> & Sendable
    private let convert: @Sendable (Input) -> Element

    init(
        _ base: any AsyncSequence<Input, any Error> & Sendable, convert: @escaping @Sendable (Input) -> Element
    ) {
        (self.base, self.convert) = (base, convert)
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), convert: convert) }

    struct Iterator: AsyncIteratorProtocol {
        var base: any AsyncIteratorProtocol<Input, any Error>
        let convert: @Sendable (Input) -> Element

        /// Errors of one layer become those of the other one.
        mutating func next() async throws -> Element? {
            do {
                return try await base.next(isolation: nil).map(convert)
            } catch let error as PhotoSourceError {
                throw SourceError(error)
            } catch let error as SourceError {
                throw PhotoSourceError(error)
            }
        }
    }
}

extension SourceError {
    init(_ error: PhotoSourceError) {
        switch error {
        case .missing: self = .missing
        case .denied: self = .denied
        case .notDownloaded: self = .notDownloaded
        case .cancelled: self = .cancelled
        case .platform(let domain, let number, let message):
            self = .platform(domain: domain, number: number, message: message)
        case .failed(let reason): self = .failed(reason)
        }
    }
}

extension PhotoSourceError {
    init(_ error: SourceError) {
        switch error {
        case .missing: self = .missing
        case .denied: self = .denied
        case .notDownloaded: self = .notDownloaded
        case .cancelled: self = .cancelled
        case .platform(let domain, let number, let message):
            self = .platform(domain: domain, number: number, message: message)
        case .failed(let reason): self = .failed(reason)
        case .server(let error): self = .failed(error.reason)
        }
    }
}

extension Date {
    init(_ timestamp: Timestamp) {
        self.init(timeIntervalSince1970: Double(timestamp.seconds) + Double(timestamp.nanoseconds) / 1e9)
    }
}
