rule table:
    input:
        inputs("table"),
    output:
        table="results/{scale}/tables/{experiment}.csv",
        stamp="results/{scale}/stamps/tables/{experiment}.json",
    log:
        "results/{scale}/logs/tables/{experiment}.log",
    benchmark:
        "results/{scale}/benchmarks/tables/{experiment}.tsv"
    conda:
        "../../envs/nonconvex.yaml"
    threads: 1
    resources:
        mem_mb=memory("table"),
        runtime=minutes("table"),
    params:
        plan=plan("table"),
        code=code("table"),
    message:
        "Tabulating {wildcards.experiment}"
    shell:
        "python -m nonconvex table --plan {params.plan:q} --digest {params.code} "
        "--input {input} --output {output.table} --stamp {output.stamp} > {log} 2>&1"
