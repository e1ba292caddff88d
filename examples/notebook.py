# %% Differentially private bandits: in every call epsilon is privacy, not exploration
import random
import matplotlib.pyplot as plt
import pandas as pd
import tacit
# %% What there is: what a paper promises, as a multiple of epsilon, and what is true
catalogue = pd.json_normalize(tacit.policies()).set_index("name")
catalogue.query("feedback == 'bandit' and trust == 'central'")[["paper", "published.epsilon", "checked.epsilon"]]
# %% A billion rounds, a hundred times, and the guarantee that these runs have
result = tacit.simulate("mgf-imed", [0.9, 0.8, 0.5], epsilon=0.5, horizon=1e9, runs=100)
print(result, f"+/- {result.ci95()[-1]:.1f}, private because", result.guarantee["because"])
# %% What privacy costs: regret after a million rounds; inf is without privacy
names, epsilons = ["anytime-lazy-ucb", "lazy-dp-ts", "mgf-imed", "ucb1"], [0.25, 0.5, 1.0]
swept = tacit.sweep(names, ["hu-linear"], epsilons, horizon=1e6, runs=40)
swept.to_frame().pivot_table(index="policy", columns="guarantee_epsilon", values="regret").round(1)
# %% The same over rounds: mean regret and its 95% band; dashed is without privacy
fig, axes = plt.subplots(1, 3, figsize=(11, 4), sharey=True, gridspec_kw={"bottom": 0.24, "wspace": 0.14})
for ax, epsilon in zip(axes, epsilons):
    tacit.plot_regret([r for r in swept if r.epsilon in (epsilon, None)], ax, label="{policy}", lw=2).label_outer()
    ax.set(title=f"epsilon {epsilon:g}", yscale="log", xlim=(100, 1e6), ylim=(10, 1e4))
    ax.grid(alpha=0.3)
    ax.get_legend().remove()
fig.legend(axes[0].lines, names, loc="lower center", ncol=4, fontsize=11, frameon=False)
plt.show()
# %% A policy to hold, with secure noise: it chooses, is told, and says how sure one may be
policy = tacit.Policy("mgf-imed", arms=3, epsilon=1.0)
for visitor in range(5000):
    ticket = policy.choose()  # show ticket.arm to somebody; the answer may come late, or never
    policy.report(ticket, random.random() < [0.9, 0.8, 0.5][ticket.arm])
print(policy, "because", policy.guarantee["because"])
policy.intervals().to_frame().round(3)
