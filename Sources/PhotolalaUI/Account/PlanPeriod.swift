/// How long a plan is paid for at once.
enum PlanPeriod: Equatable {
    case week
    case months(Int)
    case year

    init?(days: Int) {
        guard days == 7 else { return nil }
        self = .week
    }

    init?(weeks: Int) { self.init(days: weeks * 7) }

    init?(months: Int) {
        guard months > 0 else { return nil }
        self = months == 12 ? .year : .months(months)
    }

    init?(years: Int) { self.init(months: years * 12) }
}

extension ScreenTexts {
    /// Returns a price with its period.
    /// - Parameter price: The price with its currency.
    func price(_ price: String, per period: PlanPeriod?) -> String {
        switch period {
        case nil: price
        case .week: self(.priceWeek, [.price: price])
        case .months(1): self(.priceMonth, [.price: price])
        case .months(let count): self(.priceMonths, [.price: price, .count: strings.number(count)])
        case .year: self(.priceYear, [.price: price])
        }
    }
}
