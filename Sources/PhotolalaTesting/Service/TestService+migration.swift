import Accounts

extension TestService {
    /// A migration of this copy's store. Its waiting moves the clock, on which every copy's knowledge gets out of date.
    package func migration(_ report: @escaping @Sendable (RepairFinding) -> Void = { _ in }) -> Migration {
        Migration(services.accounts, pause: { [clock] in clock.advance(by: $0) }, report: report)
    }
}
