import AccountMaintenance

extension TestService {
    /// Returns a re-keying of the identity bindings in this instance's store. Its waits advance the clock, so that
    /// every instance's manifest becomes outdated.
    package func rekeying(_ report: @escaping @Sendable (RepairFinding) -> Void = { _ in }) -> IdentityRekeying {
        IdentityRekeying(components.accounts, pause: { [clock] in clock.advance(by: $0) }, report: report)
    }
}
